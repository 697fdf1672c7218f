import { compareDates } from '../domain/date.ts'
import { defaultLocale, type Locale } from '../domain/locale.ts'
import { publicPath } from '../domain/route.ts'
import type { Settings } from '../domain/settings.ts'
import { translatedOf } from '../domain/version.ts'
import type { SitePage } from './site.ts'

/** A missing translation of a page, or one that is older than the page. */
export interface TranslationGap {
  readonly state: 'missing' | 'outdated'
  /** The code of the language. */
  readonly locale: string
  /** The file of the page in the default language. */
  readonly original: string
  /** The file of the translation; null for a missing one. */
  readonly translation: string | null
}

/**
 * Compares the pages of the default language with their translations, in the order of the pages, then of the languages.
 *
 * @param editedAt when the text of a page was last edited, ISO 8601.
 */
export function translationGaps(
  pages: readonly SitePage[],
  settings: Pick<Settings, 'locales' | 'siteRoutes' | 'versions'>,
  editedAt: (page: SitePage) => string,
): readonly TranslationGap[] {
  const main = defaultLocale(settings.locales)
  if (main === null) return []
  const byKey = new Map<string, Map<string, SitePage>>()
  for (const page of pages) {
    const { locale = null, translationKey = null } = page.ownFields
    const path = publicPath(page, settings.siteRoutes)
    const translated = translatedOf({ path, fields: { locale, translationKey }, settings })
    if (translated === null) continue
    const sharing = byKey.get(translated.key) ?? new Map<string, SitePage>()
    byKey.set(translated.key, sharing.set(translated.locale, page))
  }
  const others = settings.locales.filter(({ code }) => code !== main.code)
  return [...byKey.values()].flatMap((sharing) => gapsOf(sharing, main, others, editedAt))
}

function gapsOf(
  sharing: ReadonlyMap<string, SitePage>,
  main: Locale,
  others: readonly Locale[],
  editedAt: (page: SitePage) => string,
): readonly TranslationGap[] {
  const original = sharing.get(main.code)
  if (original === undefined) return []
  return others.flatMap(({ code }): TranslationGap[] => {
    const translation = sharing.get(code)
    const gap = { locale: code, original: original.source }
    if (translation === undefined) return [{ ...gap, state: 'missing', translation: null }]
    const isOlder = compareDates(editedAt(translation), editedAt(original)) < 0
    return isOlder ? [{ ...gap, state: 'outdated', translation: translation.source }] : []
  })
}

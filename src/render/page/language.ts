import { type Direction, directionOf, readLanguageTag } from '../../domain/language-tag.ts'
import type { LivePage } from '../../domain/live-page.ts'
import { type Locale, localeAt, localeOf } from '../../domain/locale.ts'
import type { Settings } from '../../domain/settings.ts'
import type { FrontMatter } from '../../page-text/front-matter.ts'

export interface Language {
  /** BCP 47. */
  readonly lang: string
  readonly dir: Direction
}

/** Language of a page: from `config`, else the front matter, else its locale, else the site. */
export function pageLanguage(live: LivePage, { frontMatter }: FrontMatter): Language {
  const { page, settings } = live
  const own = firstLanguage([page.config['lang'], frontMatter['lang']])
  const locale = localeOf(live)
  if (own === null) return languageIn(locale, settings)
  return own.lang === locale?.code ? { ...own, dir: locale.dir } : own
}

/** Language of a generated document at a path. */
export function languageAt(path: string, settings: Settings): Language {
  return languageIn(localeAt(path, settings.locales), settings)
}

/** Language of a document in a locale; null uses the site's. */
export function languageIn(locale: Locale | null, { branding }: Pick<Settings, 'branding'>): Language {
  return locale === null ? languageOf([branding['lang']]) : { lang: locale.code, dir: locale.dir }
}

/** The first candidate that is a language tag, else English. */
export function languageOf(candidates: readonly unknown[]): Language {
  return firstLanguage(candidates) ?? { lang: 'en', dir: 'ltr' }
}

function firstLanguage(candidates: readonly unknown[]): Language | null {
  for (const candidate of candidates) {
    const read = typeof candidate === 'string' ? readLanguageTag(candidate) : null
    if (read !== null) return { lang: read.tag, dir: directionOf(read) }
  }
  return null
}

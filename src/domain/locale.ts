import type { PageId } from './ids.ts'
import type { Direction } from './language-tag.ts'

/** A language of a site. Its pages are below its subroute. */
export interface Locale {
  /** BCP 47. Unique within a site. */
  readonly code: string
  /** The name of the language, as links to it show it. */
  readonly label: string
  readonly dir: Direction
  /** The start of the paths of its pages, without outer slashes. Empty for at most one locale. */
  readonly subroute: string
  /** The path of its home; absent for its front page. */
  readonly home?: string
}

export const MAX_LOCALES = 40

/** Fields that decide the locale of a page. */
interface Localised {
  readonly path: string
  readonly fields: { readonly locale: string | null }
  readonly settings: WithLocales
}

/** The part of the settings that has the languages. */
interface WithLocales {
  readonly locales: readonly Locale[]
}

/** The locale without a subroute, else the first one; null on a site without locales. */
export function defaultLocale(locales: readonly Locale[]): Locale | null {
  return locales.find(({ subroute }) => subroute === '') ?? locales[0] ?? null
}

/** The locale with the longest subroute that a path starts with, else the default one. */
export function localeAt(path: string, locales: readonly Locale[]): Locale | null {
  const around = locales.filter(({ subroute }) => subroute !== '' && isBelow(path, subroute))
  return longest(around) ?? defaultLocale(locales)
}

function longest(locales: readonly Locale[]): Locale | undefined {
  return locales.toSorted((a, b) => b.subroute.length - a.subroute.length)[0]
}

function isBelow(path: string, subroute: string): boolean {
  return path === `/${subroute}` || path.startsWith(`/${subroute}/`)
}

/** Returns the stated locale of a page if its site has it, else that of its path; null on a site without locales. */
export function localeOf({ path, fields, settings }: Localised): Locale | null {
  const locales = settings.locales
  return localeWithCode(fields.locale, locales) ?? localeAt(path, locales)
}

/**
 * The locale whose feeds name an article: its own, or the default one for an article that was published before the site
 * had this locale. Null on a site without locales.
 */
export function feedLocale(
  { locale }: { readonly locale?: string | undefined },
  locales: readonly Locale[],
): Locale | null {
  return locales.find(({ code }) => code === locale) ?? defaultLocale(locales)
}

/** The locale with a code. Language tags do not depend on case. */
export function localeWithCode(code: string | null, locales: readonly Locale[]): Locale | undefined {
  const wanted = code?.toLowerCase()
  return wanted === undefined ? undefined : locales.find((locale) => locale.code.toLowerCase() === wanted)
}

/** The path without the subroute of the locale: `docs/install` for `/fr/docs/install`. */
export function pathInLocale(path: string, { subroute }: Locale): string {
  const within = subroute !== '' && isBelow(path, subroute) ? path.slice(subroute.length + 1) : path
  return within.replace(/^\//, '')
}

/** The path of the front page of a locale. */
export function frontPath({ subroute }: Locale): string {
  return `/${subroute}`
}

/** The path of the page that logo, site name and language switch lead to, whether it is live or not. */
export function homePath(locale: Locale): string {
  return locale.home ?? frontPath(locale)
}

/** The key of a file that each language has: `feed.xml` of the default locale, `fr/feed.xml` of another one. */
export function fileInLocale(name: string, locale: Locale, locales: readonly Locale[]): string {
  return isDefault(locale, locales) ? name : `${locale.subroute}/${name}`
}

export function isDefault({ code }: Pick<Locale, 'code'>, locales: readonly Locale[]): boolean {
  return code === defaultLocale(locales)?.code
}

/** The locale of a page and the key that its translations share (see `translatedOf` in `version.ts`). */
export interface Translated {
  readonly locale: string
  readonly key: string
}

/** A page in another language that is a translation of the page. */
export interface Translation {
  /** The code of its locale. */
  readonly locale: string
  readonly path: string
}

/** The facts of a page that translations follow from. */
export interface TranslatedFacts {
  readonly id: PageId
  readonly path: string
  readonly translated?: Translated | undefined
}

/**
 * The translations of a page, in the order of the locales. Of two pages in one language that claim to be the same page,
 * the one with the first path counts.
 *
 * @param sharing pages with its key.
 */
export function translationsOf(
  self: TranslatedFacts,
  sharing: readonly TranslatedFacts[],
  locales: readonly Locale[],
): readonly Translation[] {
  const others = sharing
    .filter(({ id, translated }) => id !== self.id && translated?.key === self.translated?.key)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return locales.flatMap(({ code }) => {
    if (code === self.translated?.locale) return []
    const found = others.find(({ translated }) => translated?.locale === code)
    return found === undefined ? [] : [{ locale: code, path: found.path }]
  })
}

/** Groups the pages with translations by the key of these. */
export function groupedByKey<Page extends { readonly translated?: Translated | undefined }>(
  pages: readonly Page[],
): ReadonlyMap<string, readonly Page[]> {
  const byKey = new Map<string, Page[]>()
  for (const page of pages) {
    if (page.translated === undefined) continue
    const sharing = byKey.get(page.translated.key)
    if (sharing === undefined) byKey.set(page.translated.key, [page])
    else sharing.push(page)
  }
  return byKey
}

/** A page in a language, as documents and the sitemap announce it to search engines. */
export interface Alternate {
  /** The code of a locale, or `x-default` for readers of other languages. */
  readonly hreflang: string
  readonly path: string
}

/** All versions of a page that has translations, itself among them; none for a page in one language. */
export function alternatesOf(
  self: { readonly path: string; readonly locale: string },
  translations: readonly Translation[],
  locales: readonly Locale[],
): readonly Alternate[] {
  if (translations.length === 0) return []
  const all = [{ locale: self.locale, path: self.path }, ...translations]
  const ordered = locales.flatMap(({ code }) => all.find(({ locale }) => locale === code) ?? [])
  const usual = ordered.find(({ locale }) => locale === defaultLocale(locales)?.code) ?? ordered[0]
  return [
    ...ordered.map(({ locale, path }) => ({ hreflang: locale, path })),
    ...(usual === undefined ? [] : [{ hreflang: 'x-default', path: usual.path }]),
  ]
}

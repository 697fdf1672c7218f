import { inheritedLinks } from '../../domain/by-locale.ts'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import {
  defaultLocale,
  frontPath,
  homePath,
  type Locale,
  localeAt,
  pathInLocale,
  type Translated,
} from '../../domain/locale.ts'
import { LOCALE_SETTINGS, type Settings } from '../../domain/settings.ts'
import type { LinkedPage, Surroundings } from '../../domain/surroundings.ts'
import { pagePath } from '../links/links.ts'

/** Live pages and lists that the links around pages may lead to. */
export interface LinkablePages {
  /** Reports whether a page is live at the path, or the first page of a list. */
  exists(path: string): boolean
  /** The language and the key of the page at a path; null for a list, and for a page that has none. */
  translatedAt(path: string): Translated | null
  /** The path of the page with this key in a language; null for none. */
  pageIn(code: string, key: string): string | null
}

/**
 * Targets of the links of header, footer and announcement in all languages that inherit them, and the homes of the
 * languages. None for a site in one language.
 */
export function surroundingPaths(settings: Settings): readonly string[] {
  const known = knownPaths.get(settings)
  if (known !== undefined) return known
  const locales = settings.locales
  const linked = locales.flatMap((locale) => inheritedPaths(settings, locale))
  const paths = [...new Set([...linked, ...locales.map(homePath)])]
  knownPaths.set(settings, paths)
  return paths
}

/** Cache. Thousands of pages share one settings object. */
const knownPaths = new WeakMap<Settings, readonly string[]>()

/** The keys under which translations of these paths are found. */
export function surroundingKeys(
  paths: readonly string[],
  settings: Settings,
  pages: Pick<LinkablePages, 'translatedAt'>,
): readonly string[] {
  return [...new Set(paths.flatMap((path) => translatedPath(path, settings, pages)?.key ?? []))]
}

/**
 * Returns the targets of the links around the pages of a language; undefined if all lead as written.
 *
 * @param settings of the site, not of the language alone.
 */
export function surroundingsOf(
  settings: Settings,
  locale: Locale,
  pages: LinkablePages,
): Surroundings | undefined {
  const home = homeOf(settings, locale, pages)
  const linked = inheritedPaths(settings, locale).flatMap((path) => {
    const page = linkedPage(path, settings, locale, pages)
    return page === null ? [] : [[path, page] as const]
  })
  const hasOtherHome = home !== frontPath(locale)
  if (!hasOtherHome && linked.length === 0) return undefined
  return {
    ...(hasOtherHome && { home }),
    ...(linked.length > 0 && {
      inherited: inheritedLinks(settings, locale).map((key) => LOCALE_SETTINGS[key]),
      pages: Object.fromEntries(linked),
    }),
  }
}

/** The home of the language if it is live, else the site's. */
function homeOf(settings: Settings, locale: Locale, { exists }: LinkablePages): string {
  const main = defaultLocale(settings.locales)
  const homes = [locale, ...(main === null ? [] : [main])].map(homePath)
  return homes.find((path) => path === '/' || exists(path)) ?? '/'
}

/** Returns null if a link leads as written: to a page of the language, or to one that is not live. */
function linkedPage(
  path: string,
  settings: Settings,
  locale: Locale,
  pages: LinkablePages,
): LinkedPage | null {
  const written = translatedPath(path, settings, pages)
  if (!pages.exists(path) || written === null || written.locale === locale.code) return null
  const translation = translationIn(locale, path, written.key, settings, pages)
  return translation === null ? { path, hreflang: written.locale } : { path: translation }
}

function translationIn(
  locale: Locale,
  path: string,
  key: string,
  settings: Settings,
  pages: LinkablePages,
): string | null {
  const page = pages.pageIn(locale.code, key)
  if (page !== null) return page
  const main = defaultLocale(settings.locales)
  const home = homePath(locale)
  if (main !== null && path === homePath(main) && pages.exists(home)) return home
  // Lists have no key: they are at the same path below the front page of each language.
  const list = `/${[locale.subroute, key].filter((part) => part !== '').join('/')}`
  return pages.exists(list) ? list : null
}

/** The language and the key of the page or list at a path. A list gets both from its path. */
function translatedPath(
  path: string,
  settings: Settings,
  { translatedAt }: Pick<LinkablePages, 'translatedAt'>,
): Translated | null {
  const stated = translatedAt(path)
  if (stated !== null) return stated
  const locale = localeAt(path, settings.locales)
  return locale && { locale: locale.code, key: pathInLocale(path, locale) }
}

/** Paths of pages in the links that a language inherits. */
function inheritedPaths(settings: Settings, locale: Locale): readonly string[] {
  const values = inheritedLinks(settings, locale).map((key) => settings[key] as unknown as JsonValue)
  return [...new Set(values.flatMap(addressesIn).flatMap((href) => pagePath(href) ?? []))]
}

/** Fields that are addresses of links. Footers of older versions have other names for them. */
const ADDRESS_FIELDS: readonly string[] = ['href', 'url', 'link']

function addressesIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? (ADDRESS_FIELDS.includes(name) ? [inner] : []) : addressesIn(inner),
  )
}

import {
  defaultLocale,
  homePath,
  type Locale,
  localeAt,
  localeOf,
  pathInLocale,
  type Translated,
} from './locale.ts'
import { MAX_PATH_BYTES, publicPath, type SiteRoutes } from './route.ts'

/** A version of the documented product. Its pages are below its subroute, which follows that of the locale. */
export interface Version {
  /** Without spaces. Unique within a site. */
  readonly name: string
  readonly label: string
  /** The start of the paths of its pages below the front page of each locale, without outer slashes. */
  readonly subroute: string
  /** One version of a site is. Search engines are led to its pages. */
  readonly latest: boolean
}

export const MAX_VERSIONS = 40

interface WithVersions {
  readonly locales: readonly Locale[]
  readonly versions: readonly Version[]
}

export function latestVersion(versions: readonly Version[]): Version | null {
  return versions.find(({ latest }) => latest) ?? null
}

/** A page within its version. */
export interface Versioned {
  readonly version: Version
  readonly locale: Locale | null
  /** The path below the subroutes of locale and version, without slashes at its ends. */
  readonly rest: string
}

/** The version with the longest subroute that a path starts with below its locale; null for a page in none. */
export function versionAt(path: string, settings: WithVersions): Versioned | null {
  const versions = settings.versions
  if (versions.length === 0) return null
  const locale = localeAt(path, settings.locales)
  const within = locale === null ? path.slice(1) : pathInLocale(path, locale)
  const version = versionAround(within, versions)
  return version === null ? null : { version, locale, rest: restBelow(within, version) }
}

/** @param within a path below the subroute of a locale, without slashes at its ends. */
function versionAround(within: string, versions: readonly Version[]): Version | null {
  const around = versions.filter(({ subroute }) => isBelow(within, subroute))
  return around.toSorted((a, b) => b.subroute.length - a.subroute.length)[0] ?? null
}

function restBelow(within: string, { subroute }: Version): string {
  return subroute === '' ? within : within.slice(subroute.length + 1)
}

function isBelow(within: string, subroute: string): boolean {
  return subroute === '' || within === subroute || within.startsWith(`${subroute}/`)
}

/** The path of the same page in another version, whether it exists or not. */
export function pathInVersion(
  { locale, rest }: Pick<Versioned, 'locale' | 'rest'>,
  { subroute }: Version,
): string {
  return `/${[locale?.subroute ?? '', subroute, rest].filter((part) => part !== '').join('/')}`
}

/** The front page of a version in a locale. */
export function versionFront(locale: Locale | null, version: Version): string {
  return pathInVersion({ locale, rest: '' }, version)
}

/** The fields of a page that decide its translations. */
interface Translatable {
  readonly path: string
  readonly fields: { readonly locale: string | null; readonly translationKey: string | null }
  readonly settings: WithVersions
}

/**
 * Returns the locale of a page and the key of its translations: the stated one, else its path below its locale. Keys
 * are those of the latest version, because the files of a version are copied with theirs. Keys of another version begin
 * with its name, so that translations never cross versions. Null on a site without locales.
 */
export function translatedOf(page: Translatable): Translated | null {
  const { path, fields, settings } = page
  const locale = localeOf(page)
  if (locale === null) return null
  const key = fields.translationKey ?? pathInLocale(path, locale)
  const version = versionAt(path, settings)?.version
  if (version === undefined || version.latest) return { locale: locale.code, key }
  // A path of one version as that of another may be too long. A long key is a path: no page of another version has it.
  const names = [`${version.name}/${keyInLatest(key, version, settings.versions)}`, `${version.name}/${key}`]
  return { locale: locale.code, key: names.find((name) => Buffer.byteLength(name) <= MAX_PATH_BYTES) ?? key }
}

/** A key that is a path of this version as a path of the latest one; another key as it is. */
function keyInLatest(key: string, version: Version, versions: readonly Version[]): string {
  if (versionAround(key, versions) !== version) return key
  return [latestVersion(versions)?.subroute ?? '', restBelow(key, version)]
    .filter((part) => part !== '')
    .join('/')
}

/** The paths that a page would have in the other versions; none for a page in no version. */
function pathsInVersions(path: string, settings: WithVersions): readonly string[] {
  const own = versionAt(path, settings)
  if (own === null) return []
  return settings.versions.flatMap((version) =>
    version.name === own.version.name ? [] : [pathInVersion(own, version)],
  )
}

/**
 * The paths that the switches of a page may lead to, whether they exist or not: the same page in other versions, homes
 * of other languages and front pages of versions. The same page in another language is found by its key. None for a
 * page of a site in one language and version.
 */
export function switchPaths(path: string, own: Locale | null, settings: WithVersions): readonly string[] {
  const locales = settings.locales
  const version = versionAt(path, settings)
  const languages = locales.filter(({ code }) => code !== own?.code).map(homePath)
  const versions =
    version === null
      ? []
      : settings.versions
          .filter(({ name }) => name !== version.version.name)
          .map((other) => versionFront(version.locale, other))
  return [...new Set([...languages, ...versions, ...pathsInVersions(path, settings)])]
}

/** Reports whether a page documents a version before or after the latest one. Search engines should not show it. */
export function isOldVersion(path: string, settings: WithVersions): boolean {
  return versionAt(path, settings)?.version.latest === false
}

/** The path of the same page in the latest version, if it exists and the page is in another one. */
export function latestPath(
  path: string,
  existing: readonly string[],
  settings: WithVersions,
): string | undefined {
  const own = versionAt(path, settings)
  const latest = latestVersion(settings.versions)
  if (own === null || latest === null || own.version.latest) return undefined
  const same = pathInVersion(own, latest)
  return existing.includes(same) ? same : undefined
}

/** The scope of one navigation: a version in a language. */
export interface NavScope {
  readonly name: string
  /** The subroute above those of its navigation, strictly: `fr` for `fr/docs/install`. Empty for the root. */
  readonly root: string
  /** It is that of the latest version in the default language; absent otherwise. */
  readonly isMain?: true
}

/**
 * Returns the pages that the slug in an entry of `docs_nav` may mean, of all pages with it. Copies of a page in older
 * versions and in other languages give way to the page itself.
 */
export function namedBySlug<Page>(pages: readonly Page[], isMain: (page: Page) => boolean): readonly Page[] {
  const main = pages.filter(isMain)
  return main.length === 0 ? pages : main
}

/** The code of the language whose navigation this is; empty on a site in one. */
export function languageOfScope({ name }: NavScope): string {
  return name.slice(0, name.indexOf('@'))
}

/** The name of the navigation of the latest version in a language. */
export function latestScope(code: string, settings: Pick<WithVersions, 'versions'>): string {
  return `${code}@${latestVersion(settings.versions)?.name ?? ''}`
}

/** Follows from the public path of the subroute. Null on a site without languages and versions. */
export function navScope(
  subroute: string,
  settings: WithVersions & { readonly siteRoutes: SiteRoutes },
): NavScope | null {
  const path = publicPath({ subroute, slug: 'index' }, settings.siteRoutes)
  const locale = localeAt(path, settings.locales)
  const version = versionAt(path, settings)?.version
  if (locale === null && version === undefined) return null
  const above = version === undefined ? '' : version.subroute.split('/').slice(0, -1).join('/')
  const root = [locale?.subroute ?? '', above].filter((part) => part !== '').join('/')
  const isAround = subroute === root || subroute.startsWith(`${root}/`)
  const isDefault = locale?.code === defaultLocale(settings.locales)?.code
  const isMain = isDefault && version?.latest !== false
  return {
    name: `${locale?.code ?? ''}@${version?.name ?? ''}`,
    root: isAround ? root : '',
    ...(isMain && { isMain }),
  }
}

import type { SiteIdentity } from './live-page.ts'
import { isDefault, type Locale, localeWithCode } from './locale.ts'
import {
  LINK_SETTINGS,
  LOCALE_SETTINGS,
  type LocaleSettingKey,
  type LocaleSettings,
  type Settings,
} from './settings.ts'

export const LOCALE_SETTING_KEYS = Object.keys(LOCALE_SETTINGS) as readonly LocaleSettingKey[]

/** Maximum bytes of JSON of the settings of all languages: every page of a publish is rendered with them in memory. */
export const MAX_BY_LOCALE_BYTES = 256 * 1024

/** The settings of a language; none for one that has none. */
export function settingsOfLocale(
  { byLocale }: Pick<Settings, 'byLocale'>,
  locale: Pick<Locale, 'code'> | null,
): LocaleSettings {
  if (locale === null || !Object.hasOwn(byLocale, locale.code)) return NOTHING
  return byLocale[locale.code] ?? NOTHING
}

const NOTHING: LocaleSettings = {}

/** Completes a sentence that begins with the field. */
export const UNKNOWN_LOCALE = 'is no code of locales: add the language there, or remove its settings.'

/** The codes in `by_locale` that are no languages of the site. */
export function unknownLocales({
  byLocale,
  locales,
}: Pick<Settings, 'byLocale' | 'locales'>): readonly string[] {
  return Object.keys(byLocale).filter((code) => localeWithCode(code, locales) === undefined)
}

/** A document of a site. */
interface OfSite {
  readonly site: SiteIdentity
  readonly settings: Settings
}

/**
 * Returns a site as documents in a language show it: with the settings and the name of that language only. Thousands of
 * pages share the result: it is the same object for the same site and language.
 */
export function inLocale<Of extends OfSite>(of: Of, locale: Locale | null): Of {
  const { site, settings } = of
  const shown = settingsInLocale(settings, locale)
  if (shown === settings) return of
  return { ...of, settings: shown, site: withName(site, nameInLocale(site.name, settings, locale)) }
}

/** The name of a site on documents in a language. @param name of the project. */
export function nameInLocale(
  name: string,
  settings: Pick<Settings, 'siteName' | 'byLocale'>,
  locale: Locale | null,
): string {
  return settingsOfLocale(settings, locale).site_name ?? settings.siteName ?? name
}

const shownSettings = new WeakMap<Settings, Map<string | null, Settings>>()

/** The settings that documents in a language show, without a name: it is that of the site. */
function settingsInLocale(settings: Settings, locale: Locale | null): Settings {
  if ((settings.siteName ?? null) === null && Object.keys(settings.byLocale ?? NOTHING).length === 0)
    return settings
  const code = locale?.code ?? null
  const known = shownSettings.get(settings) ?? new Map<string | null, Settings>()
  shownSettings.set(settings, known)
  const shown = known.get(code) ?? withLocaleSettings(settings, locale)
  known.set(code, shown)
  return shown
}

function withLocaleSettings(settings: Settings, locale: Locale | null): Settings {
  const own = settingsOfLocale(settings, locale)
  const given = LOCALE_SETTING_KEYS.flatMap((key) => {
    const value = own[LOCALE_SETTINGS[key]]
    return value === undefined ? [] : [[key, value] as const]
  })
  return { ...settings, ...Object.fromEntries(given), siteName: null, byLocale: {} }
}

const namedSites = new WeakMap<SiteIdentity, Map<string, SiteIdentity>>()

function withName(site: SiteIdentity, name: string): SiteIdentity {
  if (site.name === name) return site
  const known = namedSites.get(site) ?? new Map<string, SiteIdentity>()
  namedSites.set(site, known)
  const named = known.get(name) ?? { ...site, name }
  known.set(name, named)
  return named
}

/** Returns the settings with links that documents in a language inherit; none in the default language. */
export function inheritedLinks(
  settings: Pick<Settings, 'byLocale' | 'locales'>,
  locale: Locale,
): readonly (typeof LINK_SETTINGS)[number][] {
  if (isDefault(locale, settings.locales)) return []
  const own = settingsOfLocale(settings, locale)
  return LINK_SETTINGS.filter((key) => own[LOCALE_SETTINGS[key]] === undefined)
}

import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../client/api-error.ts'
import type { LegacyUpdateSettings } from '../client/api-types.ts'
import type { Client } from '../client/client.ts'
import type { JsonObject } from '../domain/json.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import { NOT_CREATED } from './project.ts'
import type { PushedSetting } from './push-state.ts'

/** What became of the settings, by their names in `site.yaml`. */
export interface SettingsOutcome {
  readonly sent: readonly string[]
  /** Written by somebody else since the last push, and left. */
  readonly conflicts: readonly string[]
  /** Why the server does not take some; each names its field. */
  readonly refused: readonly string[]
  /** To be remembered until the next push. */
  readonly known: Readonly<Record<string, PushedSetting>>
}

type Key = keyof Settings

/** What `site.yaml` calls the settings. */
export const SETTING_NAMES: Readonly<Record<Key, string>> = {
  theme: 'theme',
  faviconUrl: 'favicon_url',
  logoUrl: 'logo',
  ogImageUrl: 'og_image_url',
  metaTitle: 'meta_title',
  metaDescription: 'meta_description',
  googleAnalyticsId: 'google_analytics_id',
  customCss: 'custom_css',
  customHeadHtml: 'custom_head_html',
  footerText: 'footer_text',
  navLinks: 'nav_links',
  docsNav: 'docs_nav',
  sharedFooter: 'shared_footer',
  branding: 'branding',
  siteRoutes: 'site_routes',
}

const KEYS = Object.keys(SETTING_NAMES) as readonly Key[]

/**
 * Send those settings that are not on the server as the folder says, field by field. What the folder
 * never named is left alone; what it named before and no longer does is taken back.
 */
export async function pushSettings(
  settings: Partial<Settings>,
  known: Readonly<Record<string, PushedSetting>>,
  { api, project, overwrite, dryRun }: { api: Client; project: string; overwrite: boolean; dryRun: boolean },
): Promise<SettingsOutcome> {
  const wanted = wantedSettings(settings, known)
  const shown = await shownSettings(api, project)
  const different = (Object.keys(wanted) as Key[]).filter((key) => !isThere(key))
  const conflicts = overwrite ? [] : different.filter((key) => !isOurs(key))
  const due = different.filter((key) => !conflicts.includes(key))
  const refused = dryRun ? new Map<Key, string>() : await sendOrNarrow(api, project, pick(wanted, due), shown)
  const now = dryRun || due.length === 0 ? shown : await shownSettings(api, project)
  return {
    sent: due.filter((key) => !refused.has(key)).map((key) => SETTING_NAMES[key]),
    conflicts: conflicts.map((key) => SETTING_NAMES[key]),
    refused: [...refused.values()],
    known: dryRun ? known : knownAfter(now),
  }

  function isThere(key: Key): boolean {
    const { sent, shown: was } = known[SETTING_NAMES[key]] ?? {}
    if (isDeepStrictEqual(wanted[key], shown[key])) return true
    return sent === digestOf(wanted[key]) && was === digestOf(shown[key])
  }

  function isOurs(key: Key): boolean {
    const was = known[SETTING_NAMES[key]]?.shown
    return was === undefined
      ? isDeepStrictEqual(shown[key], DEFAULT_SETTINGS[key])
      : was === digestOf(shown[key])
  }

  function knownAfter(now: Settings): SettingsOutcome['known'] {
    const fields = (Object.keys(settings) as Key[]).map((key) => {
      const name = SETTING_NAMES[key]
      const after = { sent: digestOf(settings[key]), shown: digestOf(now[key]) }
      return [name, conflicts.includes(key) || refused.has(key) ? known[name] : after] as const
    })
    return Object.fromEntries(fields.flatMap(([name, after]) => (after === undefined ? [] : [[name, after]])))
  }
}

function wantedSettings(
  settings: Partial<Settings>,
  known: Readonly<Record<string, PushedSetting>>,
): Partial<Settings> {
  const former = KEYS.filter((key) => known[SETTING_NAMES[key]] !== undefined)
  return { ...pick(DEFAULT_SETTINGS, former), ...settings }
}

/** The settings as the three resources that have them show them. */
export async function shownSettings(api: Client, project: string): Promise<Settings> {
  if (project === NOT_CREATED) return DEFAULT_SETTINGS
  const path = { id: project }
  const { data: own } = await api.request('GET /projects/{id}/settings', { path })
  const { data: home } = await api.request('GET /projects/{id}', { path })
  const { data: legacy } = await api.request('GET /v1/projects/{id}/settings', { path })
  const { theme: _, ...branding } = legacy.branding
  return {
    theme: own.theme,
    faviconUrl: own.favicon_url,
    logoUrl: home.settings.logo,
    ogImageUrl: own.og_image_url,
    metaTitle: own.meta_title,
    metaDescription: own.meta_description,
    googleAnalyticsId: own.google_analytics_id,
    customCss: home.settings.custom_css,
    customHeadHtml: own.custom_head_html,
    footerText: own.footer_text,
    navLinks: own.nav_links,
    docsNav: legacy.docs_nav as Settings['docsNav'],
    sharedFooter: legacy.shared_footer as Settings['sharedFooter'],
    branding: branding as JsonObject,
    siteRoutes: legacy.site_routes,
  }
}

/** Send all at once; where the server refuses that, one by one. @returns why, by field, what it does not take. */
async function sendOrNarrow(
  api: Client,
  project: string,
  fields: Partial<Settings>,
  shown: Settings,
): Promise<ReadonlyMap<Key, string>> {
  const keys = Object.keys(fields) as readonly Key[]
  try {
    await sendFields(api, project, fields, shown)
    return new Map()
  } catch (error) {
    if (!(error instanceof ApiError && error.name === 'validation_error')) throw error
    const [only, ...others] = keys
    if (only !== undefined && others.length === 0) return new Map([[only, error.message]])
  }
  const refused = new Map<Key, string>()
  for (const key of keys)
    for (const [name, message] of await sendOrNarrow(api, project, pick(fields, [key]), shown))
      refused.set(name, message)
  return refused
}

/** Each field goes to a resource that has it; of one that gets none nothing is asked. */
async function sendFields(
  api: Client,
  project: string,
  fields: Partial<Settings>,
  shown: Settings,
): Promise<void> {
  const path = { id: project }
  const own = given({
    theme: fields.theme,
    favicon_url: fields.faviconUrl,
    og_image_url: fields.ogImageUrl,
    meta_title: fields.metaTitle,
    meta_description: fields.metaDescription,
    google_analytics_id: fields.googleAnalyticsId,
    custom_head_html: fields.customHeadHtml,
    footer_text: fields.footerText,
    nav_links: fields.navLinks,
  })
  if (own !== null) await api.request('PUT /projects/{id}/settings', { path, body: own })
  const home = given({ logo: fields.logoUrl, custom_css: fields.customCss })
  if (home !== null) await api.request('PUT /projects/{id}', { path, body: { settings: home } })
  const legacy = given({
    docs_nav: fields.docsNav,
    // What the site's file holds was read by the same rules as the API's.
    shared_footer: fields.sharedFooter as LegacyUpdateSettings['shared_footer'],
    branding: fields.branding && replacing(shown.branding, fields.branding),
    site_routes: fields.siteRoutes && replacing(shown.siteRoutes, fields.siteRoutes),
  })
  if (legacy !== null) await api.request('PUT /v1/projects/{id}/settings', { path, body: legacy })
}

/** What takes the place of an object where the server merges: null takes a key back. */
function replacing<Value>(
  shown: Readonly<Record<string, Value>>,
  wanted: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value | null>> {
  return { ...Object.fromEntries(Object.keys(shown).map((key) => [key, null])), ...wanted }
}

/** Null when no field is given. */
function given<Fields extends object>(fields: Fields): Fields | null {
  return Object.values(fields).every((value) => value === undefined) ? null : fields
}

function pick(settings: Partial<Settings>, keys: readonly Key[]): Partial<Settings> {
  return Object.fromEntries(keys.map((key) => [key, settings[key]]))
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

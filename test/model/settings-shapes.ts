import { expect } from 'vitest'
import { enveloped } from './envelopes.ts'
import { type Json, type Project, projectAt, type Settings, type World } from './world.ts'

/* The three shapes of the one store of settings: what each shows, and what a body of each writes. */

export type Shape = 'resource' | 'embedded' | 'legacy'

const RESOURCE_FIELDS = [
  'theme',
  'favicon_url',
  'og_image_url',
  'meta_title',
  'meta_description',
  'google_analytics_id',
  'custom_head_html',
  'footer_text',
  'nav_links',
] as const satisfies readonly (keyof Settings)[]

/** The names inside a project, and what they are here. */
const EMBEDDED = {
  theme: 'theme',
  favicon: 'favicon_url',
  logo: 'logo',
  custom_css: 'custom_css',
  google_analytics: 'google_analytics_id',
  meta_description: 'meta_description',
  social_image: 'og_image_url',
} as const satisfies Record<string, keyof Settings>

const LEGACY_KEYS = ['docs_nav', 'shared_header', 'shared_footer', 'branding', 'site_routes'] as const

export function resource(world: World, index: number): object {
  const { id, settings, hosting } = projectAt(world, index)
  const shown = Object.fromEntries(RESOURCE_FIELDS.map((field) => [field, settings[field]]))
  return {
    project_id: `proj_${id}`,
    ...shown,
    custom_domain: hosting.custom_domain,
    data_mode: expect.objectContaining({ enabled: false, cdn_base: null }),
    hosting_mode: hosting.mode.replace('_', ''),
  }
}

export function embedded({ settings }: Project): object {
  return Object.fromEntries(Object.entries(EMBEDDED).map(([name, field]) => [name, settings[field]]))
}

export function legacySettings({ settings }: Project): Readonly<Record<string, unknown>> {
  return {
    docs_nav: settings.docs_nav,
    shared_header: { logo: settings.logo, links: settings.nav_links },
    shared_footer: settings.shared_footer,
    branding: { ...settings.branding, theme: settings.theme },
    site_routes: settings.site_routes,
  }
}

/** The settings after a body of a shape; unknown and read-only fields are none of it. */
function written(settings: Settings, shape: Shape, body: Json): Settings {
  if (shape === 'resource') return { ...settings, ...only(body, RESOURCE_FIELDS) }
  if (shape === 'embedded') {
    const entries = Object.entries(EMBEDDED).filter(([name]) => name in body)
    return { ...settings, ...Object.fromEntries(entries.map(([name, field]) => [field, body[name]])) }
  }
  const { docs_nav, shared_header, shared_footer, branding, site_routes } = body as LegacyBody
  const { theme = settings.theme, ...otherBranding } = branding ?? {}
  return {
    ...settings,
    theme: String(theme),
    docs_nav: docs_nav ?? settings.docs_nav,
    logo: shared_header?.logo === undefined ? settings.logo : shared_header.logo,
    nav_links: shared_header?.links ?? settings.nav_links,
    shared_footer: { ...settings.shared_footer, ...shared_footer },
    branding: merged(settings.branding, otherBranding),
    site_routes: merged(settings.site_routes, site_routes ?? {}) as Settings['site_routes'],
  }
}

interface LegacyBody {
  readonly docs_nav?: Settings['docs_nav']
  readonly shared_header?: { readonly logo?: string | null; readonly links?: Settings['nav_links'] }
  readonly shared_footer?: Json
  readonly branding?: Json
  readonly site_routes?: Json
}

/** The answer to a write. */
export function answerOf(world: World, index: number, shape: Shape, body: Json): object {
  const project = projectAt(world, index)
  if (shape === 'legacy') {
    const whole = legacySettings(project)
    return enveloped(
      only(
        whole,
        LEGACY_KEYS.filter((key) => key in body),
      ),
    )
  }
  const updated_fields = RESOURCE_FIELDS.filter((field) => field in body)
  return { data: { project_id: `proj_${project.id}`, updated_fields, updated_at: project.settingsUpdatedAt } }
}

function only(values: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}

/** Key by key; null takes one back. */
function merged(stored: Json, given: Json): Json {
  return Object.fromEntries(Object.entries({ ...stored, ...given }).filter(([, value]) => value !== null))
}

/** The changes of a request body to a project. */
export function settingsChanges(project: Project, shape: Shape, body: Json): Partial<Project> {
  const settings = written(project.settings, shape, body)
  const hasDocsNav = project.hasDocsNav || settings.docs_nav.length > 0
  return { settings, hasDocsNav, settingsVersion: project.settingsVersion + 1 }
}

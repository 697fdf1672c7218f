import { z } from 'zod'
import type { SettingsFields } from '../../db/repositories/settings.ts'
import { brandingFaults } from '../../domain/branding.ts'
import { type InvalidField, ruleOf } from '../../domain/invalid-field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { readSubroute, type SiteRoutes } from '../../domain/route.ts'
import type { NavEntry, Settings } from '../../domain/settings.ts'
import type { SlugAlphabet } from '../../domain/slug.ts'
import { docsNav, footerLinks, navLinks } from '../../fields/links.ts'
import { SETTINGS_FIELDS } from '../../fields/settings-fields.ts'
import { text } from '../../fields/values.ts'
import { parseBody } from '../parse.ts'
import { wideRouteErrors } from '../wide-routes.ts'
import { plainFooterLinks, plainNavLinks, unlessShown } from './plain-links.ts'

const MAX_BRANDING_BYTES = 16 * 1024
const MAX_ROUTES = 500
/** Entries in one request: as many new ones as there may be, and as many that remove one. */
const MAX_GIVEN_ROUTES = 2 * MAX_ROUTES

const object = z.custom<JsonObject>(isJsonObject, 'must be an object.').meta({ type: 'object' })

/** Routes by subroute; null removes one. */
const siteRoutes = object.transform((given, context) => {
  const routes: Record<string, string | null> = {}
  // Before each entry is validated, which costs far more than counting them.
  if (Object.keys(given).length > MAX_GIVEN_ROUTES) {
    context.addIssue({ code: 'custom', message: `must have at most ${MAX_GIVEN_ROUTES} entries.` })
    return z.NEVER
  }
  for (const [subroute, path] of Object.entries(given)) {
    const from = readSubroute(subroute, 'wide')
    const to = typeof path === 'string' ? readSubroute(path, 'wide') : null
    if (from === null || (to === null && path !== null)) {
      context.addIssue({
        code: 'custom',
        path: [subroute],
        message: 'must map a subroute to a path of the same alphabet.',
      })
    } else {
      routes[from] = to === null ? null : `/${to}`
    }
  }
  return routes
})

const sharedHeader = z.object({
  logo: SETTINGS_FIELDS.logoUrl.schema.optional(),
  links: navLinks(z.object).optional(),
})

const sharedFooter = z.object({
  links: footerLinks(z.object).optional(),
  copyright: text(500).optional(),
})

export function settingsSchema(themes: readonly string[]) {
  return z.object({
    docs_nav: docsNav(z.object, 'LegacyDocsNavEntry').optional(),
    shared_header: sharedHeader.optional(),
    shared_footer: sharedFooter.optional(),
    /** Branding by key; null removes one. */
    branding: object
      .superRefine((given, context) => {
        for (const { name, message } of brandingFaults(given))
          context.addIssue({ code: 'custom', path: [name], message })
      })
      .refine(({ theme }) => theme === undefined || themes.some((known) => known === theme), {
        path: ['theme'],
        message: `must be one of ${themes.join(', ')}.`,
        ...ruleOf('not_allowed'),
      })
      .optional(),
    site_routes: siteRoutes.optional(),
  })
}

/** Reads bodies of the legacy settings resource. Created once, because its schema depends on the installed themes. */
export function createSettingsReader(themes: readonly string[]) {
  const schema = settingsSchema(themes)

  return {
    /**
     * Reads the settings to write: `docs_nav` is replaced, objects are merged with the stored ones, key by key.
     *
     * @throws {ServiceError} that names every invalid field.
     */
    read(body: JsonObject, stored: Settings, alphabet: SlugAlphabet): SettingsFields {
      const given = parseBody(schema, body, {
        also: () => [
          ...sizeErrors(body, stored),
          ...wideRouteErrors('site_routes', body['site_routes'], alphabet),
        ],
      })
      const { theme, ...branding } = given.branding ?? {}
      return {
        docsNav: given.docs_nav,
        logoUrl: given.shared_header?.logo,
        navLinks: unlessShown<NavEntry>(given.shared_header?.links, stored.navLinks, plainNavLinks),
        sharedFooter: given.shared_footer && {
          ...stored.sharedFooter,
          links:
            unlessShown(
              given.shared_footer.links as readonly JsonValue[] | undefined,
              stored.sharedFooter.links,
              plainFooterLinks,
            ) ?? stored.sharedFooter.links,
          copyright: given.shared_footer.copyright ?? stored.sharedFooter.copyright,
        },
        branding: given.branding && merged(stored.branding, branding),
        theme: theme === undefined ? undefined : String(theme),
        siteRoutes: given.site_routes && (merged(stored.siteRoutes, given.site_routes) as SiteRoutes),
      }
    },

    /** The top-level keys in a body. */
    supplied: (body: JsonObject) => schema.keyof().options.filter((key) => body[key] !== undefined),
  }
}

function merged(stored: JsonObject, given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...stored, ...given }).filter(([, value]) => value !== null))
}

function sizeErrors(
  { branding, site_routes: routes }: JsonObject,
  stored: Settings,
): readonly InvalidField[] {
  const brandingBytes = isJsonObject(branding)
    ? Buffer.byteLength(JSON.stringify(merged(stored.branding, branding)))
    : 0
  const routeCount = isJsonObject(routes) ? Object.keys(merged(stored.siteRoutes, routes)).length : 0
  return [
    ...(brandingBytes > MAX_BRANDING_BYTES
      ? [
          {
            path: 'branding',
            message: 'must be at most 16 KiB, including the stored keys.',
            code: 'wrong_length' as const,
          },
        ]
      : []),
    ...(routeCount > MAX_ROUTES
      ? [
          {
            path: 'site_routes',
            message: `must have at most ${MAX_ROUTES} entries, including the stored ones.`,
            code: 'wrong_length' as const,
          },
        ]
      : []),
  ]
}

import { z } from 'zod'
import { brandingFaults } from '../domain/branding.ts'
import type { JsonObject } from '../domain/json.ts'
import { MEASUREMENT_ID, MEASUREMENT_ID_RULE } from '../domain/measurement-id.ts'
import { PAGE_TYPES, type PageType } from '../domain/page.ts'
import { readSubroute } from '../domain/route.ts'
import type { DocsNavEntry, Settings } from '../domain/settings.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import { cssFaultText, customCssFaults } from '../page-text/custom-css.ts'
import { fileUrl, href, json, line, SUBROUTE_RULE, stored, subroute, text, url } from './fields.ts'

/** What `site.yaml` says besides the project's settings. */
export interface SiteFields {
  readonly name: string
  /** Without a slash at its end; null where nobody said. */
  readonly origin: string | null
  readonly settings: Partial<Settings>
  /** The type of the pages in a folder that do not say their own, by the folder's path. */
  readonly types: Readonly<Record<string, PageType>>
  /** Where the folder's files are edited, e.g. on a forge; null where nobody said. */
  readonly editBase: string | null
}

const link = z.strictObject({
  label: line(100),
  href,
  external: z.boolean('must be true or false.').exactOptional(),
})

const docsNavEntry: z.ZodType<DocsNavEntry> = z.strictObject({
  title: line(200),
  slug: line(1000).exactOptional(),
  badge: line(20).exactOptional(),
  get children() {
    return z.array(docsNavEntry, 'must be a list.').exactOptional()
  },
})

/** As a path, e.g. `/help`; `/` drops the subroute. */
const routePath = stored(readRoutePath, `must be "/", or ${SUBROUTE_RULE}`)

const measurementId = z.string('must be text.').regex(MEASUREMENT_ID, MEASUREMENT_ID_RULE)

/** Whether it is CSS at all is for the service to say, which can stop a parser. */
const css = text(51_200).superRefine((given, context) => {
  for (const fault of customCssFaults(given))
    context.addIssue({ code: 'custom', message: cssFaultText(fault) })
})
const branding = z.record(z.string(), json, 'must be an object.').superRefine((given, context) => {
  for (const { name, message } of brandingFaults(given))
    context.addIssue({ code: 'custom', path: [name], message })
})
/** Where a site is read, as far as it lies in nobody's hands but its owner's: no query, no fragment. */
const siteUrl = stored(readSiteUrl, 'must be an http or https URL without a query, e.g. https://example.com.')

/** The fields of `site.yaml`. */
export const SITE_SCHEMA = z.strictObject({
  name: line(100),
  url: siteUrl.nullable().default(null),
  theme: line(100).optional(),
  meta_title: text(60).nullable().optional(),
  meta_description: text(160).nullable().optional(),
  favicon_url: fileUrl('ico', 'png', 'svg').nullable().optional(),
  logo: fileUrl('png', 'jpg', 'jpeg', 'svg').nullable().optional(),
  og_image_url: url.nullable().optional(),
  google_analytics_id: measurementId.nullable().optional(),
  custom_css: css.nullable().optional(),
  custom_head_html: text(51_200).nullable().optional(),
  footer_text: text(2000).nullable().optional(),
  nav_links: z.array(link, 'must be a list.').max(50, 'must have at most 50 links.').optional(),
  docs_nav: z.array(docsNavEntry, 'must be a list.').optional(),
  shared_footer: z
    .strictObject({
      links: z.array(z.union([z.strictObject({ title: line(100), links: z.array(link) }), link])).default([]),
      copyright: text(500).default(''),
    })
    .optional(),
  branding: branding.optional(),
  site_routes: z.record(subroute, routePath, 'must be an object.').optional(),
  edit_base: url.nullable().default(null),
  types: z.record(subroute, z.enum(PAGE_TYPES, `must be one of ${PAGE_TYPES.join(', ')}.`)).default({}),
})

/** What the fields say that pages are read with, whatever is wrong with the others; null where it is with these. */
export function readTypes(written: JsonObject): SiteFields['types'] | null {
  return SITE_SCHEMA.shape.types.safeParse(written['types']).data ?? null
}

export function readSiteFields(written: JsonObject): { fields: SiteFields } | { error: z.ZodError } {
  const result = SITE_SCHEMA.safeParse(written)
  if (!result.success) return { error: result.error }
  const { name, url: origin, types, edit_base: editBase, ...given } = result.data
  return { fields: { name, origin, types, editBase, settings: toSettings(given) } }
}

function readRoutePath(text: string): string | null {
  const path = readSubroute(text)
  return path === null ? null : `/${path}`
}

function toSettings(
  given: Omit<z.output<typeof SITE_SCHEMA>, 'name' | 'url' | 'types' | 'edit_base'>,
): Partial<Settings> {
  const settings: { [K in keyof Settings]: Settings[K] | undefined } = {
    theme: given.theme,
    faviconUrl: given.favicon_url,
    logoUrl: given.logo,
    ogImageUrl: given.og_image_url,
    metaTitle: given.meta_title,
    metaDescription: given.meta_description,
    googleAnalyticsId: given.google_analytics_id,
    customCss: given.custom_css,
    customHeadHtml: given.custom_head_html,
    footerText: given.footer_text,
    navLinks: given.nav_links,
    docsNav: given.docs_nav,
    sharedFooter: given.shared_footer,
    branding: given.branding,
    siteRoutes: given.site_routes,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

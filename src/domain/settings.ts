import type { JsonObject, JsonValue } from './json.ts'
import type { SiteRoutes } from './route.ts'

export interface NavLink {
  readonly label: string
  readonly href: string
  readonly external?: boolean | undefined
}

/** One entry of a hand-ordered docs sidebar; with children it is a group, which may carry a page of its own. */
export interface DocsNavEntry {
  readonly title: string
  /** `slug`, or `subroute/slug` where a slug is not unique. */
  readonly slug?: string
  readonly badge?: string
  readonly children?: readonly DocsNavEntry[]
}

/** A project's settings, once; each surface shows them in its own shape. Absent is null. */
export interface Settings {
  readonly theme: string
  readonly faviconUrl: string | null
  readonly logoUrl: string | null
  readonly ogImageUrl: string | null
  readonly metaTitle: string | null
  readonly metaDescription: string | null
  readonly googleAnalyticsId: string | null
  readonly customCss: string | null
  /** The owner's own HTML, put into every `<head>` as it is. */
  readonly customHeadHtml: string | null
  readonly footerText: string | null
  readonly navLinks: readonly NavLink[]
  readonly docsNav: readonly DocsNavEntry[]
  /** `{ links, copyright }`: links are plain ones or groups `{ title, links }`. */
  readonly sharedFooter: { readonly links: readonly JsonValue[]; readonly copyright: string }
  /** Colours and fonts by name, e.g. `primary_color`, `font`; the theme has its own field. */
  readonly branding: JsonObject
  readonly siteRoutes: SiteRoutes
}

export const DEFAULT_SETTINGS: Settings = {
  theme: 'default',
  faviconUrl: null,
  logoUrl: null,
  ogImageUrl: null,
  metaTitle: null,
  metaDescription: null,
  googleAnalyticsId: null,
  customCss: null,
  customHeadHtml: null,
  footerText: null,
  navLinks: [],
  docsNav: [],
  sharedFooter: { links: [], copyright: '' },
  branding: {},
  siteRoutes: {},
}

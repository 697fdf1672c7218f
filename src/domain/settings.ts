import type { Announcement } from './announcement.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { Locale } from './locale.ts'
import type { SiteRoutes } from './route.ts'
import type { Variables } from './variables.ts'
import type { Version } from './version.ts'

export interface NavLink {
  readonly label: string
  readonly href: string
  readonly external?: boolean | undefined
  /** A name of Lucide or of a brand. */
  readonly icon?: string | undefined
  /** Shown below the label in a menu. */
  readonly description?: string | undefined
}

/** A link of the header, plain or as a button, or a menu of links. */
export type NavEntry = (NavLink & { readonly style?: 'link' | 'button' | undefined }) | NavMenu

export interface NavMenu {
  readonly label: string
  readonly links: readonly NavLink[]
}

/** A profile of the owner elsewhere. Label and icon follow from the address of a known service. */
export interface SocialLink {
  readonly href: string
  readonly label?: string | undefined
  readonly icon?: string | undefined
}

export interface SharedFooter {
  /** Plain links, or groups `{ title, links }`. */
  readonly links: readonly JsonValue[]
  readonly copyright: string
  readonly social?: readonly SocialLink[] | undefined
  /** Links next to the copyright line. */
  readonly legal?: readonly NavLink[] | undefined
}

/**
 * An entry of a docs sidebar in the owner's order. An entry with children is a group, which may also link to a page.
 */
export interface DocsNavEntry {
  readonly title: string
  /** `slug`, or `subroute/slug` when the slug is not unique. */
  readonly slug?: string
  readonly badge?: string
  /** A name of Lucide, or the address of an image. */
  readonly icon?: string
  readonly children?: readonly DocsNavEntry[]
}

/** The settings that a language may have values of its own for, with their names in `by_locale`. */
export const LOCALE_SETTINGS = {
  siteName: 'site_name',
  metaTitle: 'meta_title',
  metaDescription: 'meta_description',
  navLinks: 'nav_links',
  sharedFooter: 'shared_footer',
  footerText: 'footer_text',
  announcement: 'announcement',
  docsNav: 'docs_nav',
} as const

export type LocaleSettingKey = keyof typeof LOCALE_SETTINGS

/** Settings with links around the content of a page. */
export const LINK_SETTINGS = [
  'announcement',
  'navLinks',
  'sharedFooter',
] as const satisfies readonly LocaleSettingKey[]

/** Settings of one language. A page takes a setting that its language has here, and every other one from the site. */
export type LocaleSettings = {
  readonly [Key in LocaleSettingKey as (typeof LOCALE_SETTINGS)[Key]]?: Settings[Key] | undefined
}

/** Settings by the codes of languages. */
export type ByLocale = Readonly<Record<string, LocaleSettings>>

/** The settings of a project. Absent is null. `fields/settings-fields.ts` describes them for every surface. */
export interface Settings {
  readonly theme: string
  readonly faviconUrl: string | null
  readonly logoUrl: string | null
  readonly ogImageUrl: string | null
  /** The site's own name; null for the name of the project. */
  readonly siteName: string | null
  /** `pages`: an image for link previews is drawn for pages without one. */
  readonly socialCards: 'pages' | 'none'
  /** `read`: agents may read the published site at `/mcp`. */
  readonly mcp: 'read' | 'none'
  readonly metaTitle: string | null
  readonly metaDescription: string | null
  readonly googleAnalyticsId: string | null
  readonly customCss: string | null
  /** Trusted HTML of the owner for every `<head>`; not sanitised. */
  readonly customHeadHtml: string | null
  readonly footerText: string | null
  readonly announcement: Announcement
  readonly navLinks: readonly NavEntry[]
  readonly docsNav: readonly DocsNavEntry[]
  readonly sharedFooter: SharedFooter
  /** Colours and fonts by name, e.g. `primary_color`, `font`. */
  readonly branding: JsonObject
  readonly siteRoutes: SiteRoutes
  /** Values by name for the templates of the theme, on every page. */
  readonly data: JsonObject
  /** The languages of the site; empty for a site in one. */
  readonly locales: readonly Locale[]
  /** Settings by the code of a language, in place of these on its pages. */
  readonly byLocale: ByLocale
  /** The versions of what the site documents; empty for one. */
  readonly versions: readonly Version[]
  /** Texts that pages show with `{{ name }}`. */
  readonly variables: Variables
  /** `count`: the server of the site counts visits. */
  readonly visits: 'none' | 'count'
  /** `auto`: live pages get smaller images that are derived after their publish. */
  readonly mediaRefresh: 'auto' | 'manual'
  /** The logo on dark pages; null for the same as on light ones. */
  readonly logoDarkUrl: string | null
  /** The id of the feed of the site; null for one that the first publish gives it. */
  readonly feedGuid: string | null
}

export const DEFAULT_SETTINGS: Settings = {
  theme: 'default',
  faviconUrl: null,
  logoUrl: null,
  ogImageUrl: null,
  siteName: null,
  socialCards: 'none',
  mcp: 'none',
  metaTitle: null,
  metaDescription: null,
  googleAnalyticsId: null,
  customCss: null,
  customHeadHtml: null,
  footerText: null,
  announcement: { text: '' },
  navLinks: [],
  docsNav: [],
  sharedFooter: { links: [], copyright: '' },
  branding: {},
  siteRoutes: {},
  data: {},
  locales: [],
  byLocale: {},
  versions: [],
  variables: {},
  visits: 'none',
  mediaRefresh: 'auto',
  logoDarkUrl: null,
  feedGuid: null,
}

/** Settings that were stored before some of today's existed. */
export function completeSettings(stored: Partial<Settings>): Settings {
  return { ...DEFAULT_SETTINGS, ...stored }
}

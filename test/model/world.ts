/*
 * The model's state of the service: plain values, which the rules turn into the next state. Projects and pages are
 * identified by their position in the order of creation, also after their deletion.
 */

export interface World {
  /** Sets what must be unique over all sequences apart, e.g. domains. */
  readonly sequence: number
  /** Base URL of the service, without a slash at its end. */
  readonly url: string
  readonly projects: readonly Project[]
  readonly pages: readonly Page[]
}

export interface Project {
  /** Without its prefix. */
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly status: 'active' | 'archived' | 'suspended' | 'deleted'
  readonly hosting: Hosting
  readonly context: string
  readonly legacySettings: Json
  readonly settings: Settings
  /** Counts the changes of the project, and those of its settings. */
  readonly version: number
  readonly settingsVersion: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly settingsUpdatedAt: string | null
  /** Whether anything was ever published, so that the site has an index. */
  readonly hasIndex: boolean
  /** A hand-made docs navigation was set once; where its pages stand is then not foretold any more. */
  readonly hasDocsNav: boolean
}

export type Json = Readonly<Record<string, unknown>>

export interface Hosting {
  readonly mode: string
  readonly subdomain: string | null
  readonly custom_domain: string | null
  readonly ssl_enabled: boolean
  readonly cdn_enabled: boolean
  readonly base_path: string
  readonly manifest: string
  readonly slugs: string
}

/** Under the names of the settings resource, and those of the other two shapes where it has none. */
export interface Settings {
  readonly theme: string
  readonly favicon_url: string | null
  readonly og_image_url: string | null
  readonly meta_title: string | null
  readonly meta_description: string | null
  readonly google_analytics_id: string | null
  readonly custom_head_html: string | null
  readonly footer_text: string | null
  readonly nav_links: readonly Json[]
  readonly logo: string | null
  readonly custom_css: string | null
  readonly docs_nav: readonly Json[]
  readonly shared_footer: Json
  readonly branding: Json
  readonly site_routes: Readonly<Record<string, string>>
}

export const NEW_SETTINGS: Settings = {
  theme: 'default',
  favicon_url: null,
  og_image_url: null,
  meta_title: null,
  meta_description: null,
  google_analytics_id: null,
  custom_head_html: null,
  footer_text: null,
  nav_links: [],
  logo: null,
  custom_css: null,
  docs_nav: [],
  shared_footer: { links: [], copyright: '' },
  branding: {},
  site_routes: {},
}

export type PageType = 'page' | 'article' | 'docs' | 'item'
export type PageStatus = 'draft' | 'published' | 'archived'

/** The fields that an author writes, under the names of the current surface. */
export interface Content {
  readonly title: string
  readonly slug: string
  readonly subroute: string
  readonly type: PageType
  readonly description: string
  readonly og_image_url: string | null
  /** Without the keys that were never set, or were cleared. */
  readonly meta: Json
  readonly config: Json
  readonly markdown_content: string
  /** The type's own fields as far as they were written. */
  readonly own: OwnFields
}

export interface OwnFields {
  readonly tags?: readonly string[]
  readonly publish_date?: string | null
  readonly author?: Author | null
  readonly nav_order?: number
  /** A page by its place in the world. */
  readonly parent?: number | null
}

export interface Author {
  readonly name: string
  readonly avatar: string | null
}

export interface Page {
  readonly id: string
  readonly project: number
  readonly content: Content
  readonly status: PageStatus
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly publishedAt: string | null
  readonly firstPublishedAt: string | null
  readonly isDeleted: boolean
  readonly live: Live | null
  /** Every path it was ever live at. */
  readonly pastPaths: readonly string[]
}

/** The version of a page that visitors read. */
export interface Live {
  readonly path: string
  /** Of the list that contains the article; null for other pages. */
  readonly folder: string | null
  readonly content: Content
  readonly releaseId: string
  /** The settings it went live with, and what else it is compared by. */
  readonly basis: Basis
}

/** Everything that decides whether a page is stale, each part as one comparable text. */
export interface Basis {
  readonly content: string
  readonly settings: string
  readonly theme: string
  /** Null but for docs pages. */
  readonly nav: string | null
  /** The articles that it leads to; null but for articles. */
  readonly collection: string | null
  readonly hosting: string
}

export function withProject(world: World, index: number, changes: Partial<Project>): World {
  return { ...world, projects: world.projects.map((it, i) => (i === index ? { ...it, ...changes } : it)) }
}

export function withPage(world: World, index: number, changes: Partial<Page>): World {
  return { ...world, pages: world.pages.map((it, i) => (i === index ? { ...it, ...changes } : it)) }
}

/** The project at an index that a rule was given. */
export function projectAt({ projects }: World, index: number): Project {
  const project = projects[index]
  if (project === undefined) throw new RangeError(`There is no project ${index}.`)
  return project
}

export function pageAt({ pages }: World, index: number): Page {
  const page = pages[index]
  if (page === undefined) throw new RangeError(`There is no page ${index}.`)
  return page
}

/** The pages that a project has now, with their places. */
export function pagesOf({ pages }: World, project: number): readonly (Page & { readonly index: number })[] {
  return pages
    .map((page, index) => ({ ...page, index }))
    .filter((page) => page.project === project && !page.isDeleted)
}

/** The address of a tag. The model writes ASCII only. */
export function tagAddress(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

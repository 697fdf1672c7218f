import type { PageId, ProjectId } from './ids.ts'
import type { JsonObject } from './json.ts'
import type { Page, TypeFields } from './page.ts'
import type { Hosting, HostingMode } from './project.ts'
import type { Settings } from './settings.ts'

/** What a site is called and where it is found, as of a publish. */
export interface SiteIdentity {
  readonly projectId: ProjectId
  readonly name: string
  /** Absolute URL of the path `/`, without a slash at its end. */
  readonly origin: string
  readonly hostingMode: HostingMode
  /** Of the content key that seals what is published; null unless it is in Data Mode. */
  readonly keyId: string | null
  /** How much `_index.json` tells in Data Mode. */
  readonly manifest: Hosting['manifest']
}

/** The frozen copy a publish makes: page, settings and site as they were when it was accepted. */
export interface Snapshot {
  readonly page: Page
  readonly fields: TypeFields
  readonly settings: Settings
  readonly site: SiteIdentity
}

/** A snapshot with the place where it goes live. */
export interface PlacedPage extends Snapshot {
  /** The path visitors use, e.g. `/docs/install`. */
  readonly path: string
  /** Key of the page's own file. */
  readonly file: string
}

/** The same with what rendering needs to know of other live pages, fixed before rendering. */
export interface LivePage extends PlacedPage {
  readonly context: PageContext
}

export interface PageContext {
  /** Null for every type but `docs`. */
  readonly docs: DocsContext | null
  readonly collections: Collections
}

/** The live pages that each `posts` section shows, by its place in `config.sections`. */
export type Collections = ReadonlyMap<number, readonly ListedPage[]>

/** A live page as lists of pages show it. Null is what it does not have, or what the list does not show. */
export interface ListedPage {
  readonly path: string
  readonly title: string
  readonly excerpt: string | null
  /** Under the canonical names of `sections/common.ts`; its URLs are safe, and hold on every page of the site. */
  readonly image: JsonObject | null
  /** ISO 8601 UTC. */
  readonly date: string | null
  readonly author: string | null
}

/** What lists need to know of a live page; prepared when it is published. */
export interface LiveCard extends ListedPage {
  readonly id: PageId
  readonly subroute: string
  readonly type: Page['type']
  /** The date of an article; of the others when they were first published. */
  readonly date: string
  readonly navOrder: number
  /** There is no HTML of it. */
  readonly isSealed: boolean
  /** The folder whose listing it stands in; null when it stands in none. */
  readonly folder: string | null
  /** Its place there, for good; null until it is given one. */
  readonly slot: number | null
}

/** One line of a docs sidebar. */
export interface NavNode {
  readonly title: string
  /** Null for a group without a page of its own. */
  readonly path: string | null
  readonly badge: string | null
  readonly children: readonly NavNode[]
  /** True when the sidebar file knows children that this copy leaves out. */
  readonly more?: boolean
}

export interface NavStep {
  readonly title: string
  readonly path: string | null
}

/** What one docs page shows of its navigation: its own branch, not the whole tree. */
export interface DocsContext {
  /** Subroute whose navigation this page stands in. */
  readonly home: string
  readonly branch: readonly NavNode[]
  /** From the top of the tree down to the page's parent. */
  readonly breadcrumbs: readonly NavStep[]
  readonly previous: NavStep | null
  readonly next: NavStep | null
}

/** What the indexes of a site need to know of a live page; prepared when it is published. */
export interface LiveFacts {
  readonly id: PageId
  readonly title: string
  readonly slug: string
  readonly subroute: string
  readonly type: Page['type']
  readonly path: string
  readonly navOrder: number
  readonly parentPage: PageId | null
  readonly badge: string | null
}

import type { ChangelogEntry } from './changelog.ts'
import type { PageId, ProjectId } from './ids.ts'
import type { JsonObject } from './json.ts'
import type { Translated, Translation } from './locale.ts'
import type { MediaSource } from './media.ts'
import type { Page, TypeFields } from './page.ts'
import type { Hosting, HostingMode } from './project.ts'
import { publicPath } from './route.ts'
import type { Series } from './series.ts'
import type { Settings } from './settings.ts'
import type { Enclosure } from './site-lines.ts'
import type { Skill } from './skill.ts'
import type { Surroundings } from './surroundings.ts'
import type { NavScope } from './version.ts'

/** Name, address and hosting of a site at the time of a publish. */
export interface SiteIdentity {
  readonly projectId: ProjectId
  readonly name: string
  /** Absolute URL of the path `/`, without a trailing slash. */
  readonly origin: string
  readonly hostingMode: HostingMode
  /** Id of the content key that seals the pages; null unless the project is in Data Mode. */
  readonly keyId: string | null
  /** The id of its feed, unless the settings state one; absent or null before the first publish. */
  readonly feedId?: string | null
  /** The share of each page that `_index.json` contains in Data Mode. */
  readonly manifest: Hosting['manifest']
  /** Agent skills, which `llms.txt` names; absent for none. */
  readonly skills?: readonly Skill[]
}

/** The frozen copy that a release publishes: page, settings and site at the time when it was enqueued. */
export interface Snapshot {
  readonly page: Page
  readonly fields: TypeFields
  readonly settings: Settings
  readonly site: SiteIdentity
  /** The images that the page names; absent if there are none. */
  readonly media?: MediaSource
  /** The published pages whose texts are part of its Markdown; absent for none, and in builds of folders. */
  readonly includes?: readonly IncludedPage[]
  /** The social image of the page was not created in time. It is stale until it is published with it. */
  readonly lacksPicture?: true
}

/** The path a snapshot goes live at. */
export function snapshotPath({ page, settings }: Snapshot): string {
  return publicPath(page, settings.siteRoutes)
}

/** A page whose published text is part of another one. */
export interface IncludedPage {
  readonly id: PageId
  /** Its path when it was included. */
  readonly path: string
  /** Identifies its text. */
  readonly digest: string
  /** Pages that its text includes. */
  readonly includes: readonly IncludedPage[]
}

/** A snapshot with its path and key. */
export interface PlacedPage extends Snapshot {
  /** The path visitors use, e.g. `/docs/install`. */
  readonly path: string
  /** Key of the page's own file. */
  readonly file: string
}

/** A placed page with the data of other live pages that its rendering needs, fixed before rendering. */
export interface LivePage extends PlacedPage {
  readonly context: PageContext
}

export interface PageContext {
  /** Set for type `docs` only. */
  readonly docs: DocsContext | null
  readonly collections: Collections
  /** The articles that an article leads to; null for none. */
  readonly neighbours: Neighbours | null
  /** The page in other languages; absent on a site without locales. */
  readonly translations?: readonly Translation[]
  /** The paths of `switchPaths` that exist; absent for a page without switches. */
  readonly switchPaths?: readonly string[]
  /** Targets of header, footer and announcement; absent where these links stay as written. */
  readonly surroundings?: Surroundings
}

/** The articles of its blog that an article leads to at its end. */
export interface Neighbours {
  readonly newer: NavStep | null
  readonly older: NavStep | null
  readonly related: readonly ListedPage[]
  /** The series that it is a part of; absent for none. */
  readonly series?: SeriesParts
}

/** The live pages that each `posts` section shows, by the index of the section in `config.sections`. */
export type Collections = ReadonlyMap<number, readonly ListedPage[]>

/** A live page as lists of pages show it. Null: the page has no such value, or the list does not show it. */
export interface ListedPage {
  readonly path: string
  readonly title: string
  readonly excerpt: string | null
  /** Under the canonical names of `sections/common.ts`; its URLs are safe, and hold on every page of the site. */
  readonly image: JsonObject | null
  /** The files of the image of a sealed page, by path as content names them; absent for none, and for other pages. */
  readonly media?: MediaSource
  /** ISO 8601 UTC. */
  readonly date: string | null
  readonly author: string | null
}

/** Data of a live page for listings and collections; prepared when the page is published. */
export interface LiveCard extends ListedPage {
  readonly id: PageId
  readonly subroute: string
  /** The code of its locale; absent on a site without locales. */
  readonly locale?: string
  readonly type: Page['type']
  /** The date of an article; for other types the time of the first publish. */
  readonly date: string
  readonly navOrder: number
  /** Its id in feeds; absent for pages that are in none. */
  readonly feedId?: string
  /** The page is published as encrypted JSON and has no HTML. */
  readonly isSealed: boolean
  /** The folder whose listing contains the page; null when none does. */
  readonly folder: string | null
  /** Its permanent position in that listing; null until one is assigned. */
  readonly slot: number | null
  /** The tags of an article in a listing, each of which has a listing too. Empty for other pages. */
  readonly tags: readonly CardTag[]
  /**
   * The author of an article in a listing, if the site describes them and so lists their articles; absent otherwise.
   */
  readonly byline?: CardTag
  /** The series of an article; absent for none. */
  readonly series?: CardSeries
  /** Its entry in a changelog; absent for an article of a usual blog. */
  readonly entry?: CardEntry
  /** Its sound and videos, for the feeds of its tags; absent for none. */
  readonly enclosures?: readonly Enclosure[]
}

/** An entry of a changelog. */
export interface CardEntry extends ChangelogEntry {
  /** See `entryHtml`; null for a text that is too long. */
  readonly html: string | null
  /** Origins of the pages of other sites that it shows in frames; absent for none. */
  readonly frames?: readonly string[]
}

/** The series that an article is a part of, as its page shows it. */
export interface SeriesParts {
  readonly name: string
  /** In their order, at least two. */
  readonly parts: readonly NavStep[]
  /** Which of these the article is, from 0. */
  readonly index: number
}

export interface CardSeries extends Series {
  /** See `tagAddress`: names with one address are one series. */
  readonly address: string
}

export interface CardTag {
  /** The name in the author's spelling. */
  readonly name: string
  /** See `tagAddress`. */
  readonly address: string
  /** Its slot in the listing of the tag, like the slot of the card. */
  readonly slot: number | null
}

/** One line of a docs sidebar. */
export interface NavNode {
  readonly title: string
  /** The path of its page; null for a group without one. */
  readonly path: string | null
  readonly badge: string | null
  /** The icon in the spelling of the settings. */
  readonly icon?: string
  readonly children: readonly NavNode[]
  /** True when this copy leaves out children that the sidebar file contains. */
  readonly more?: boolean
}

export interface NavStep {
  readonly title: string
  readonly path: string | null
}

/** The navigation that one docs page shows: its own branch, not the whole tree. */
export interface DocsContext {
  /** Subroute whose navigation contains the page. */
  readonly home: string
  readonly branch: readonly NavNode[]
  /** From the top of the tree down to the page's parent. */
  readonly breadcrumbs: readonly NavStep[]
  readonly previous: NavStep | null
  readonly next: NavStep | null
}

/** Data of a live page for the indexes of the site; prepared when the page is published. */
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
  /** Its locale and what its translations share; absent on a site without locales. */
  readonly translated?: Translated
  /** The language and version of a docs page; absent on a site with one of each. See `navScope`. */
  readonly navScope?: NavScope
  /** Absent for all pages but the entries of a changelog. */
  readonly entry?: ChangelogEntry
}

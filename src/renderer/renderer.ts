import type { Artifact } from '../domain/artifact.ts'
import type { ParseIssue } from '../domain/diagnostic.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { ListingPage } from '../domain/listing.ts'
import type { LivePage, NavNode, SiteIdentity } from '../domain/live-page.ts'
import type { Addressed } from '../domain/route.ts'
import type { Settings } from '../domain/settings.ts'
import type { FeedEntry, SiteLines } from '../domain/site-lines.ts'
import type { RenderedPage, RenderedPreview } from '../render/page/render-page.ts'

/**
 * Turns live pages and what indexes are made of into artifacts. Same input, same bytes.
 * A page's theme is `config.theme`, else the one of its settings.
 */
export interface Renderer {
  /** Names of the themes a page or project may choose, sorted. */
  readonly themes: readonly string[]
  /** The theme a page chose for itself, or null when it follows the project's. */
  ownTheme(page: LivePage['page']): string | null
  /** Changes whenever what the theme renders may; null for a theme that is not installed. */
  themeDigest(name: string): string | null
  /**
   * The page's own files and the assets they name; in Data Mode what is to be sealed, without its stamp.
   *
   * @throws {ServiceError} `validation_error` when the page is too complex to render or its theme is not
   *   installed, `internal_error` when the machine had no time for it.
   */
  renderPage(live: LivePage): Promise<RenderedPage>
  /**
   * What feeds say of the page; null for all but articles, and for what is sealed.
   *
   * @throws {ServiceError} `validation_error` when the page is too complex to render, `internal_error` when
   *   the machine had no time for it.
   */
  feedEntry(live: LivePage): Promise<FeedEntry | null>
  /**
   * `_index.json` and, when trees are given, the navigation of each; outside Data Mode `404.html`,
   * sitemap, `robots.txt`, feeds, `llms.txt` and the pages of listings given too. A theme that is not
   * installed is replaced by `default`.
   */
  renderSite(site: SiteInput): Promise<readonly Artifact[]>
  /**
   * The page as a document that can be served from anywhere.
   *
   * @param places prefixes, each ending in a slash, in front of paths of pages and of assets.
   * @throws {ServiceError} `validation_error` when the page is too complex to render, `internal_error` when
   *   the machine had no time for it.
   */
  preview(live: LivePage, places: PreviewPrefixes): Promise<RenderedPreview>
  /**
   * What makes this text no CSS, or null.
   *
   * @param css nested no deeper than `customCssIssues` allows.
   * @throws {ServiceError} `internal_error` when the machine had no time for it.
   */
  cssIssue(project: ProjectId, css: string): Promise<ParseIssue | null>
  /** Resolves when nothing of it runs any more; what is being rendered is given up. */
  close(): Promise<void>
}

/** A renderer that may be asked for all pages at once, and tells how long each took. */
export interface TimingRenderer extends Renderer {
  renderPage(live: LivePage): Promise<TimedPage>
}

export interface TimedPage extends RenderedPage {
  /** Milliseconds, not those it waited for its turn. */
  readonly ms: number
}

export interface SiteInput {
  readonly site: SiteIdentity
  readonly settings: Settings
  /** Counts the changes to what is live. */
  readonly revision: number
  /** Of every live page, in the order of `_index.json`: by subroute, then slug. */
  readonly lines: readonly (SiteLines & Addressed)[]
  /** Newest first. */
  readonly feed: readonly FeedEntry[]
  /** Docs navigation by the subroute it belongs to; null leaves the navigation as it is. */
  readonly trees: ReadonlyMap<string, readonly NavNode[]> | null
  readonly listings: Listings
}

/** Lists of articles that the site has by itself. */
export interface Listings {
  /** Those to be written; `isNew` where nothing lies yet that another could name. */
  readonly pages: readonly (ListingPage & { readonly isNew: boolean })[]
  /** Paths of all front pages there are. */
  readonly fronts: readonly string[]
}

export const NO_LISTINGS: Listings = { pages: [], fronts: [] }

export interface PreviewPrefixes {
  readonly pages: string
  readonly files: string
}

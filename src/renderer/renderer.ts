import type { Artifact } from '../domain/artifact.ts'
import type { ParseIssue } from '../domain/diagnostic.ts'
import { UnavailableError } from '../domain/errors.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ListingPage } from '../domain/listing.ts'
import type { Collections, LivePage, NavNode, PlacedPage, SiteIdentity } from '../domain/live-page.ts'
import type { Translated } from '../domain/locale.ts'
import type { MediaSource } from '../domain/media.ts'
import type { Addressed } from '../domain/route.ts'
import type { Settings } from '../domain/settings.ts'
import type { FeedEntry, SiteLines } from '../domain/site-lines.ts'
import type { SocialCard } from '../domain/social-picture.ts'
import type { Surroundings } from '../domain/surroundings.ts'
import type { TagIndex } from '../domain/tag-list.ts'
import type { Variables } from '../domain/variables.ts'
import type { DocumentContent } from '../page-text/page-document.ts'
import type { PageWithSources, WholeText } from '../page-text/page-includes.ts'
import type { VariableTexts } from '../page-text/page-variables.ts'
import type { Pay } from '../platform/processor-time.ts'
import type { RenderedPage, RenderedPreview } from '../render/page/render-page.ts'

/**
 * Renders live pages and site indexes as artifacts. The same input gives the same bytes.
 * The theme of a page is `config.theme`, or else the one of its settings.
 */
export interface Renderer {
  /** Names of the themes a page or project may choose, sorted. */
  readonly themes: readonly string[]
  /** Changes whenever the output of the theme may change; null for a theme that is not installed. */
  themeDigest(name: string): string | null
  /** The colours of social images of a site, as `#rrggbb`. */
  cardColours(settings: Pick<Settings, 'theme' | 'branding'>): Pick<SocialCard, 'background' | 'foreground'>
  /** Reports whether templates of the theme read this field of the `config` of a page. */
  readsField(theme: string, field: string): boolean
  /**
   * Renders the page's own files and the assets that they reference. In Data Mode, renders the payload before it is
   * sealed and timestamped.
   *
   * @throws {ServiceError} `validation_error` if the page is too complex to render, `internal_error` if its theme is
   *   not installed here or the machine was too busy.
   */
  renderPage(live: LivePage, turn?: RenderTurn): Promise<RenderedPage>
  /**
   * Returns the page's entry in feeds; null if the page is not an article, or if the site uses Data Mode.
   *
   * @throws {ServiceError} `validation_error` if the page is too complex to render, `internal_error` if
   *   the machine was too busy.
   */
  feedEntry(live: LivePage, turn?: RenderTurn): Promise<FeedEntry | null>
  /**
   * Renders `_index.json` and the navigation of each given tree. Outside Data Mode, also renders `404.html`, the
   * sitemap, `robots.txt`, feeds, `llms.txt` and the given listing pages. Uses the theme `default` if the project's
   * theme is not installed.
   */
  renderSite(site: SiteInput): Promise<readonly Artifact[]>
  /**
   * Renders the page as a document that can be served from any address.
   *
   * @throws {ServiceError} `validation_error` if the page is too complex to render, `internal_error` if
   *   the machine was too busy.
   */
  preview(live: LivePage, prefixes: PreviewPrefixes, turn?: RenderTurn): Promise<RenderedPreview>
  /**
   * Returns the first syntax error of a style sheet, or null.
   *
   * @param css nested no deeper than `customCssIssues` allows.
   * @throws {ServiceError} `internal_error` if the machine was too busy.
   */
  cssIssue(project: ProjectId, css: string, turn?: RenderTurn): Promise<ParseIssue | null>
  /**
   * Returns the page as one Markdown document: see `pageDocument`.
   *
   * @throws {ServiceError} `validation_error` if it is too complex, `internal_error` if the machine was too busy.
   */
  document(project: ProjectId, input: DocumentInput): Promise<string>
  /**
   * Returns the paths of the pages that lines of a text include: see `includedPaths`.
   *
   * @throws {ServiceError} as `document`.
   */
  includedPaths(
    project: ProjectId,
    path: string,
    markdown: string,
    turn?: RenderTurn,
  ): Promise<readonly string[]>
  /**
   * Returns the text of a page with the texts of the pages it includes: see `wholeText`.
   *
   * @throws {ServiceError} as `document`.
   */
  wholeText(project: ProjectId, page: PageWithSources, turn?: RenderTurn): Promise<WholeText>
  /**
   * Returns the texts of a page with the values of variables: see `shownTexts`.
   *
   * @throws {ServiceError} as `document`.
   */
  shownTexts(
    project: ProjectId,
    page: VariableTexts,
    variables: Variables,
    turn?: RenderTurn,
  ): Promise<VariableTexts | null>
  /**
   * Reads a stored document of a page that is restored.
   *
   * @throws {ServiceError} as `document`.
   */
  readDocument(placed: PlacedPage, html: string, turn?: RenderTurn): Promise<DocumentFacts>
  /** Rejects the calls that are not finished, and resolves when all child processes have ended. */
  close(): Promise<void>
}

/** Turn of a render, when pages of many projects wait for a few renderers. */
export interface RenderTurn {
  /** Renders the page before the others of its account, because a caller waits for it until a deadline. */
  readonly urgent?: boolean
  /** Drops a render that has not started when it is aborted. The call rejects with its reason. */
  readonly signal?: AbortSignal
  /** Takes the processor time of the render; absent for that of the request of the calling code. */
  readonly pay?: Pay | undefined
}

/** The parts of a rendered page that are read from its document. */
export type DocumentFacts = Pick<RenderedPage, 'search' | 'anchors'>

/** The arguments of `pageDocument`. */
export interface DocumentInput {
  readonly page: DocumentContent
  readonly stated: JsonObject
  readonly collections: Collections
}

/** Time limit of a render that a request waits for, without a publish. Includes waiting for its turn. */
export const RENDER_DEADLINE_MS = 15_000

export function renderedTooLate(): UnavailableError {
  return new UnavailableError(
    'Rendering took too long: the service is busy, or other pages of the account come first. Try again.',
    RETRY_AFTER_S,
  )
}

/** A page takes a renderer two seconds at most. */
const RETRY_AFTER_S = 5

/** A renderer that accepts all pages of a site at once, and measures the time of each. */
export interface TimingRenderer extends Renderer {
  renderPage(live: LivePage): Promise<TimedPage>
}

export interface TimedPage extends RenderedPage {
  /** Render time in milliseconds, without the time in the queue. */
  readonly ms: number
}

export interface SiteInput {
  readonly site: SiteIdentity
  readonly settings: Settings
  /** Media that the settings name; absent for none. */
  readonly media?: MediaSource | undefined
  /** The times of feeds that are newer than their entries, by their keys; absent for none. */
  readonly feedTimes?: Readonly<Record<string, string>> | undefined
  /** The number of changes to the live site so far. */
  readonly revision: number
  /** One entry per live page, in the order of `_index.json`: by subroute, then slug. */
  readonly lines: readonly (SiteLines & Addressed & { readonly translated?: Translated })[]
  /** Newest first. */
  readonly feed: readonly FeedEntry[]
  /** Docs navigation by the subroute it belongs to; null if the navigation did not change. */
  readonly trees: ReadonlyMap<string, readonly NavNode[]> | null
  readonly listings: Listings
  /** Targets of the links around its documents, by language code; absent if all lead as written. */
  readonly surroundings?: Readonly<Record<string, Surroundings>> | undefined
  /** Paths of the docs pages as the sidebars show them, which is their order in `llms.txt`. */
  readonly docsOrder: readonly string[]
}

/** The generated lists of articles. */
export interface Listings {
  /** The listing pages to write. `isNew` if the page does not exist yet, so that no live file links to it. */
  readonly pages: readonly (ListingPage & { readonly isNew: boolean })[]
  /** The tag indexes to write. */
  readonly tagIndexes: readonly TagIndex[]
  /** Paths of the first page of every blog's listing, and of every tag index. */
  readonly fronts: readonly string[]
}

export const NO_LISTINGS: Listings = { pages: [], tagIndexes: [], fronts: [] }

/** Prefixes of paths. Each ends with a slash. */
export interface PreviewPrefixes {
  readonly pages: string
  readonly files: string
}

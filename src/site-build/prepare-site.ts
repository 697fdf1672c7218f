import type { Site, SitePage } from '../content-folder/site.ts'
import { inLocale } from '../domain/by-locale.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { feedEntryId } from '../domain/feed-id.ts'
import type { PageId, ProjectId } from '../domain/ids.ts'
import { listingPath, placesOf } from '../domain/listing.ts'
import type { LiveCard, LivePage } from '../domain/live-page.ts'
import { type Locale, localeAt } from '../domain/locale.ts'
import { ownTheme } from '../domain/page.ts'
import type { LiveDigests } from '../domain/staleness.ts'
import type { ClaimedRelease } from '../publish/decide/claimed-release.ts'
import type { LiveSite } from '../publish/ledger/live-state.ts'
import { prepareAllOrNothing } from '../publish/pipeline/batch.ts'
import { settingsDigest } from '../publish/pipeline/digests.ts'
import { liveDigests } from '../publish/pipeline/live-page-row.ts'
import type { Plan } from '../publish/pipeline/plan.ts'
import type { PreparedBatch } from '../publish/pipeline/prepare.ts'
import { type PageToRender, type ProjectedSite, projectedSite } from '../publish/pipeline/projected-site.ts'
import { type SurroundingsIn, surroundingsAmong } from '../publish/pipeline/surroundings.ts'
import type { BatchLedger } from '../publish/ports.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { keyIdOf, type WrappedContentKey, wrapContentKey } from '../secrets/content-key.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { feedCandidate, inFeeds } from './feed-entries.ts'
import type { FileDates } from './file-dates.ts'
import { inListingOrder, type ListingOrder } from './listing-slots.ts'
import { publishesOf, removalsOf, type SiteAddress, sharedSnapshot } from './site-releases.ts'
import { idOf } from './stable-ids.ts'
import type { BuildState } from './state/build-state.ts'
import type { PreviousState } from './state/previous-state.ts'
import { createStateLedger } from './state/state-ledger.ts'

export interface PreparePorts extends SiteAddress, FolderKey {
  readonly renderer: Renderer
  /** ISO 8601 UTC. */
  readonly now: string
  /** The dates of a file of the content folder. */
  readonly datesOf: (source: string) => FileDates
}

/** The key of a folder's site in Data Mode; null in plain. It is stored by its author, and there is only one. */
export interface FolderKey {
  readonly contentKey: Uint8Array | null
  readonly masterKey: MasterKey
}

const KEY_VERSION = 1

/** Id of the key of every folder that is built in Data Mode. */
export const FOLDER_KEY_ID = keyIdOf(KEY_VERSION)

/** The keys of a folder's site, in the form in which a service stores keys of projects. */
export function folderContentKeys(
  projectId: ProjectId,
  { contentKey, masterKey }: FolderKey,
): readonly WrappedContentKey[] {
  return contentKey === null ? [] : [wrapContentKey(masterKey, projectId, KEY_VERSION, contentKey)]
}

/** A site ready to be written: everything is decided, and nothing is written yet. */
export interface PreparedSite {
  readonly plan: Plan
  /** The changes to the pages; null if there are none. */
  readonly commit: Pick<PreparedBatch['commit'], 'pages' | 'confirmed' | 'removed' | 'slots' | 'site'> | null
  readonly projectId: ProjectId
  /** The file each page was written in. */
  readonly sources: ReadonlyMap<PageId, string>
  /** Feed entries of unchanged pages. */
  readonly entries: BuildState['feed']
  /** Number of pages that are removed. */
  readonly removed: number
}

/**
 * Renders the pages that differ from the last build. @returns the errors of pages that cannot be rendered, if there are
 * any.
 */
export async function prepareSite(
  site: Site,
  before: PreviousState,
  ports: PreparePorts,
): Promise<PreparedSite | { readonly errors: readonly Diagnostic[] }> {
  const releases = await siteReleases(site, before, ports)
  return preparedOf(releases, ports)
}

/** Decides which pages to render. The site is not needed afterwards. */
export async function siteReleases(
  site: Site,
  before: PreviousState,
  ports: PreparePorts,
): Promise<SiteReleases> {
  const projectId = idOf('proj', site.name)
  const publishes = publishesOf(site.pages, sharedSnapshot(site, ports), before, ports)
  const ordered = inListingOrder(before.state, publishes, ports.now)
  const removals = removalsOf(publishes, before, ports.now)
  const fed = inFeeds(publishes.map((claimed) => feedCandidate(claimed, ports.now)))
  const { changed, state } = before.isWhole
    ? await changedOf(projectId, { publishes, removals, fed }, ordered, ports)
    : { changed: publishes, state: ordered.state }
  const sources = sourcesOf(site.pages)
  const releases = [...removals, ...changed]
  return { projectId, sources, releases, removed: removals.length, fed, state, ordered: ordered.state }
}

/** The file that each page was written in. */
export function sourcesOf(pages: readonly Pick<SitePage, 'source'>[]): ReadonlyMap<PageId, string> {
  return new Map(pages.map(({ source }) => [idOf('page', source), source]))
}

export interface Releases extends Pick<PreparedSite, 'projectId' | 'sources'> {
  readonly releases: readonly ClaimedRelease[]
  /** The number of releases that remove a page. */
  readonly removed: number
  /** Pages that the feeds will name. */
  readonly fed: ReadonlySet<PageId>
  readonly state: BuildState
  /** Answers the queries of the publish path; by default from the state. */
  readonly ledger?: BatchLedger
}

interface SiteReleases extends Releases {
  /** The previous state, with its articles in listing order. */
  readonly ordered: BuildState
}

/** Renders the releases and plans their uploads and deletes. */
export async function preparedOf(
  { projectId, sources, releases, removed, fed, state, ledger = createStateLedger(state) }: Releases,
  ports: PreparePorts,
): Promise<PreparedSite | { readonly errors: readonly Diagnostic[] }> {
  const contentKeys = folderContentKeys(projectId, ports)
  const { prepared, failed } = await prepareAllOrNothing({ projectId }, releases, {
    ...ledger,
    storedArtifacts: { ...ledger.storedArtifacts, contentKeys: async () => contentKeys },
    renderer: withFeedOf(fed, ports.renderer),
    masterKey: ports.masterKey,
    now: () => ports.now,
  })
  if (failed.length > 0) {
    const errors = failed.map(({ release: { pageId }, failure: { message } }) =>
      diagnostic('QN-RENDER-FAILED', sources.get(pageId) ?? '', message),
    )
    return { errors }
  }
  const rest = { projectId, sources, entries: state.feed, removed }
  if (prepared === null) return { plan: { uploads: [], keeps: [], deletes: [] }, commit: null, ...rest }
  // Not the whole commit, which would retain the inputs of every page.
  const { pages: changed, confirmed, removed: gone, slots, site } = prepared.commit
  return { plan: prepared.plan, commit: { pages: changed, confirmed, removed: gone, slots, site }, ...rest }
}

/**
 * Renders feed entries of these pages only. No other entry is read, and each one costs another rendering of its text.
 */
function withFeedOf(fed: ReadonlySet<PageId>, renderer: Renderer): Renderer {
  return {
    ...renderer,
    feedEntry: async (live) => (fed.has(live.page.id) ? renderer.feedEntry(live) : null),
  }
}

interface SiteBatch extends Pick<Releases, 'fed'> {
  readonly publishes: readonly ClaimedRelease[]
  readonly removals: readonly ClaimedRelease[]
}

/**
 * The pages whose output would differ, for the same reasons as a live page is stale, and one page of each folder where
 * only the listing differs. The state gets feed entries of unchanged pages that enter the feeds because newer ones
 * went.
 */
async function changedOf(
  projectId: ProjectId,
  { publishes, removals, fed }: SiteBatch,
  { state, folders }: ListingOrder,
  { renderer, now }: PreparePorts,
): Promise<{ readonly changed: readonly ClaimedRelease[]; readonly state: BuildState }> {
  const all = [...removals, ...publishes]
  if (all.length === 0) return { changed: [], state }
  const site = await projectedSite({ projectId }, all, now, createStateLedger(state).liveState)
  const languages = changedLanguages(site, state)
  const changed = site.pages.filter(
    (page) => isListedIn(languages, page) || isDue(site.inContext(page), state, renderer),
  )
  const gone = removals.map(({ release }) => state.pages.get(release.pageId)?.card)
  const touched = new Set([...changed.map(({ card }) => card), ...gone].flatMap(foldersOf))
  const others = new Set(
    [...folders]
      .filter((folder) => !touched.has(folder))
      .flatMap((folder) => site.pages.find(({ card }) => foldersOf(card).includes(folder)) ?? []),
  )
  // The page for unknown paths has the theme of the site, and the settings of a language that may have no other page.
  // No page notices a change if all have a theme of their own, or are in other languages.
  const isUnnoticed =
    changed.length + others.size === 0 && (languages.size > 0 || site.pages.every(hasOwnTheme))
  const shown = isUnnoticed ? site.pages.slice(0, 1) : []
  return {
    changed: [
      ...changed.map((page) => withOtherFiles(page.claimed, site.inContext(page), state, renderer)),
      ...[...others, ...shown].map(({ claimed }) => claimed),
    ],
    state: await withEntriesOf(fed, site, state, renderer),
  }
}

/** The codes of languages with generated pages that show other settings than before, or other links. */
function changedLanguages(
  { next, previous, surroundings }: ProjectedSite,
  { pages }: BuildState,
): ReadonlySet<string> {
  const locales = next.settings.locales
  if (previous === null || locales.length === 0) return new Set()
  const built = [...pages.values()]
  const before = surroundingsAmong(
    built.map(({ facts }) => facts),
    built.map(({ card }) => card),
  )
  const isChanged = (locale: Locale) =>
    shownIn(locale, next, surroundings) !== shownIn(locale, previous, before)
  return new Set(locales.filter(isChanged).map(({ code }) => code))
}

function shownIn(
  locale: Locale,
  { site, settings }: Pick<LiveSite, 'site' | 'settings'>,
  surroundings: SurroundingsIn,
): string {
  const shown = inLocale({ site, settings }, locale)
  return JSON.stringify([settingsDigest(shown.settings, shown.site), surroundings(settings, locale)])
}

/** Reports whether the lists of an article are in one of these languages. Its own language may be another one. */
function isListedIn(languages: ReadonlySet<string>, { card, placed }: PageToRender): boolean {
  if (card.folder === null || languages.size === 0) return false
  const locale = localeAt(listingPath(card.folder, null), placed.settings.locales)
  return locale !== null && languages.has(locale.code)
}

function hasOwnTheme({ placed: { page } }: PageToRender): boolean {
  return ownTheme(page) !== null
}

/** Records whether files that the page names have changed since the last build. */
function withOtherFiles(
  claimed: ClaimedRelease,
  live: LivePage,
  { pages }: BuildState,
  renderer: Renderer,
): ClaimedRelease {
  const built = pages.get(live.page.id)?.details().digests.media
  return { ...claimed, hasOtherFiles: built !== liveDigests(live, renderer).media }
}

/** The folders of the listings that an article is in. */
function foldersOf(card: LiveCard | undefined): readonly string[] {
  return card === undefined ? [] : placesOf(card).map(({ folder }) => folder)
}

/**
 * Adds feed entries of pages that enter the feeds, whether or not they are rendered again.
 *
 * @param fed pages that the feeds will name.
 * @param pages that may have no entry so far.
 */
export async function withEntriesOf(
  fed: ReadonlySet<PageId>,
  { pages, inContext }: Pick<ProjectedSite, 'pages' | 'inContext'>,
  state: BuildState,
  renderer: Renderer,
): Promise<BuildState> {
  const feed = new Map(state.feed)
  for (const page of pages) {
    const { id } = page.facts
    const entry = fed.has(id) && !feed.has(id) ? await renderer.feedEntry(inContext(page)) : null
    if (entry !== null) feed.set(id, entry)
  }
  return { ...state, feed }
}

/** Reports whether a page must be rendered: its output differs, or the date of its file, which indexes show. */
export function isDue(live: LivePage, { pages }: BuildState, renderer: Renderer): boolean {
  const page = pages.get(live.page.id)
  const built = page?.details()
  if (built === undefined || built.updatedAt !== live.page.updatedAt) return true
  const shownId = page?.card.feedId
  if (shownId !== undefined && shownId !== feedEntryId(live.page, live.site)) return true
  return !isSame(built.digests, liveDigests(live, renderer))
}

function isSame(built: LiveDigests, now: LiveDigests): boolean {
  return JSON.stringify(built) === JSON.stringify(now)
}

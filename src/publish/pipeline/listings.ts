import { isDeepStrictEqual } from 'node:util'
import { compareDates } from '../../domain/date.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import { type ListedArticles, listedArticles } from '../../domain/listed-articles.ts'
import {
  foldersAt,
  isSameListing,
  type ListingPage,
  layOutListing,
  listingKey,
  listingPath,
  placesOf,
  withSlots,
} from '../../domain/listing.ts'
import type { LiveCard, SiteIdentity } from '../../domain/live-page.ts'
import type { Locale } from '../../domain/locale.ts'
import { pathOfKey } from '../../domain/redirect-path.ts'
import { SITE_TAGS, siteTagsFolder, type TagIndex, tagIndex, tagsFolder } from '../../domain/tag-list.ts'
import { type Listings, NO_LISTINGS } from '../../renderer/renderer.ts'
import type { InProject } from '../ledger/leases.ts'
import type { AtRevision, ListingSlot, LiveObject, LiveSite, LiveState } from '../ledger/live-state.ts'
import { type FeedTimes, listFeedTimes } from './feed-times.ts'
import { mergeFacts } from './merge-facts.ts'

/** Part of a batch that listings depend on. */
export interface ListingChange {
  readonly site: SiteIdentity
  /** Languages of the site, now and in its last listings. */
  readonly locales: readonly Locale[]
  readonly previousLocales: readonly Locale[]
  /** Changed and removed pages. */
  readonly touched: ReadonlySet<string>
  /** Pages published again without a change. */
  readonly confirmed: ReadonlySet<string>
  /** Cards of the articles to go live, with their slots. */
  readonly cards: readonly LiveCard[]
  readonly slots: readonly ListingSlot[]
  /** Objects of the batch's pages. */
  readonly owned: readonly LiveObject[]
  /** Every claim of the batch, those of an interrupted attempt included. */
  readonly claimed: readonly LiveObject[]
  /** Keys of the written and kept pages and redirects of the batch. */
  readonly written: ReadonlySet<string>
}

export interface NextListings extends Listings {
  /** Newest dates in the feeds of possibly changed lists, before and after. */
  readonly feedTimes: { readonly before: FeedTimes; readonly after: FeedTimes }
  /** Replaced and removed listing objects. */
  readonly existing: readonly LiveObject[]
  /** Possible objects of an interrupted attempt, without rows. */
  readonly strays: readonly LiveObject[]
}

/**
 * Assigns each article a slot in each of its listings: the slot it had before, otherwise the next free one. New articles
 * of one batch are ordered by date.
 */
export async function assignSlots(
  { projectId }: InProject,
  cards: readonly LiveCard[],
  liveState: Pick<LiveState, 'slotsOf' | 'nextSlots'>,
): Promise<{ readonly cards: ReadonlyMap<PageId, LiveCard>; readonly slots: readonly ListingSlot[] }> {
  const listed = cards.filter(({ folder }) => folder !== null).sort(oldestFirst)
  if (listed.length === 0) return { cards: new Map(), slots: [] }
  const assigned = await liveState.slotsOf(
    projectId,
    listed.map(({ id }) => id),
  )
  const known = new Map(assigned.map(({ pageId, folder, slot }) => [`${pageId} ${folder}`, slot]))
  const folders = new Set(listed.flatMap(placesOf).map(({ folder }) => folder))
  const next = new Map(await liveState.nextSlots(projectId, [...folders]))
  const slots: ListingSlot[] = []
  const placed = listed.map((card) =>
    withSlots(card, (folder) => {
      const previous = known.get(`${card.id} ${folder}`)
      if (previous !== undefined) return previous
      const slot = next.get(folder) ?? 0
      next.set(folder, slot + 1)
      slots.push({ pageId: card.id, folder, slot })
      return slot
    }),
  )
  return { cards: new Map(placed.map((card) => [card.id, card])), slots }
}

function oldestFirst(a: LiveCard, b: LiveCard): number {
  const order = compareDates(a.date, b.date)
  if (order !== 0) return order
  return a.id < b.id ? -1 : 1
}

/**
 * Decides which listing pages and tag indexes a batch writes and removes, and lists the front pages after it.
 *
 * A listing page is written when one of its articles was published or removed, when its neighbours changed, or when
 * it is missing; a tag index when its tags or their numbers changed. It then shows current settings; other pages keep
 * theirs, as pages do that are not published again.
 */
export async function nextListings(
  { projectId, asOf }: AtRevision,
  {
    site,
    locales,
    previousLocales,
    touched,
    confirmed,
    cards,
    slots,
    owned,
    claimed,
    written,
  }: ListingChange,
  liveState: Pick<LiveState, 'cards' | 'nextSlots' | 'objectsAt' | 'objectsOfKinds' | 'formersAt'>,
): Promise<NextListings> {
  if (site.hostingMode === 'data_mode') {
    const existing = await liveState.objectsOfKinds(projectId, ['listing'])
    return { ...NO_LISTINGS, existing, strays: [], feedTimes: { before: {}, after: {} } }
  }
  const previous = await liveState.cards(projectId, 'article', asOf)
  const next = mergeFacts(previous, touched, cards)
  const [previousLists, nextLists] = [listedArticles(previous), listedArticles(next)]

  const freed = new Set([...owned, ...claimed].map(({ key }) => key).filter((key) => !written.has(key)))
  const isPublished = ({ id }: LiveCard) => touched.has(id) || confirmed.has(id)
  const changed = [...previous.filter(isPublished), ...cards]
  const affected = new Set([
    ...changed.flatMap(placesOf).map(({ folder }) => folder),
    ...changed.flatMap(({ folder }) => (folder === null ? [] : [tagsFolder(folder)])),
    ...(isDeepStrictEqual(locales, previousLocales)
      ? changed.flatMap(({ folder }) => (folder === null ? [] : [siteTagsFolder(folder, locales)]))
      : [...siteTagsFolders(previousLists, previousLocales), ...siteTagsFolders(nextLists, locales)]),
    ...[...freed].flatMap(foldersAt),
    // A page that takes the address of a tag's list takes its feed away.
    ...[...written].flatMap(foldersAt).filter((folder) => previousLists.byFolder.has(folder)),
  ])
  const previousSlots = await liveState.nextSlots(projectId, [...affected])
  const nextSlots = new Map(previousSlots)
  for (const { folder, slot } of slots) nextSlots.set(folder, Math.max(nextSlots.get(folder) ?? 0, slot + 1))
  const previousPages = layOutAll(affected, previousSlots, previousLists, previousLocales)
  const nextPages = layOutAll(affected, nextSlots, nextLists, locales)

  const fronts = frontsOf(nextLists, locales)
  const objects = await objectsByKey(
    projectId,
    [...[...previousPages, ...nextPages].flatMap(keysOf), ...fronts.map(listingKey)],
    liveState,
  )
  const yielding = await formerRedirects(projectId, nextPages.keys(), objects, liveState)
  const isTaken = (key: string) =>
    written.has(key) || (belongsToPage(objects.get(key), touched) && !yielding.has(key))
  const shown = new Map([...nextPages].filter(([key]) => !isTaken(key)))
  const isDue = ([key, page]: Laid) =>
    keysOf([key, page]).some((own) => freed.has(own) || !isListing(objects.get(own))) ||
    !isSamePage(page, previousPages.get(key)) ||
    // The tag index of a published article, as its tags are, has to show current settings.
    !('articles' in page) ||
    page.articles.some(isPublished)

  const due = [...shown].filter(isDue)
  const keys = new Set([...shown].flatMap(keysOf))
  // The key of a page that replaces a listing is the page's now.
  const removed = [...previousPages].flatMap(keysOf).filter((key) => !keys.has(key) && !nextPages.has(key))
  return {
    ...toListings(due, objects),
    feedTimes: {
      before: listFeedTimes([...previousPages.values()].filter(isListingPage)),
      after: listFeedTimes([...nextPages.values()].filter(isListingPage)),
    },
    fronts: fronts.filter((path) => !isTaken(listingKey(path))),
    existing: [...due.flatMap(keysOf), ...removed].map((key) => objects.get(key)).filter(isListing),
    strays: claimed.filter(
      (object) =>
        isClaimOfListing(object) &&
        !keys.has(object.key) &&
        !nextPages.has(object.key) &&
        !written.has(object.key),
    ),
  }
}

/** The listings as of the live rows. Lays out the pages at the given keys only. */
export async function currentListings(
  projectId: ProjectId,
  { site, settings }: Pick<LiveSite, 'site' | 'settings'>,
  keys: ReadonlySet<string>,
  liveState: Pick<LiveState, 'cards' | 'nextSlots' | 'objectsAt'>,
): Promise<Listings> {
  if (site.hostingMode === 'data_mode') return NO_LISTINGS
  const locales = settings.locales
  const lists = listedArticles(await liveState.cards(projectId, 'article'))
  const wanted = new Set([...keys].flatMap(foldersAt))
  const pages = layOutAll(wanted, await liveState.nextSlots(projectId, [...wanted]), lists, locales)
  const fronts = frontsOf(lists, locales)
  const objects = await objectsByKey(projectId, [...keys, ...fronts.map(listingKey)], liveState)
  const isTaken = (key: string) => belongsToPage(objects.get(key), NONE)
  const shown = [...pages].filter((laid) => keysOf(laid).some((key) => keys.has(key)) && !isTaken(laid[0]))
  return {
    ...toListings(shown, objects),
    fronts: fronts.filter((path) => !isTaken(listingKey(path))),
  }
}

const NONE: ReadonlySet<string> = new Set()

/** A generated page with its key. */
type Laid = readonly [key: string, page: ListingPage | TagIndex]

function isListingPage(page: ListingPage | TagIndex): page is ListingPage {
  return 'articles' in page
}

/** The keys of its files. */
function keysOf([key, page]: Laid): readonly string[] {
  const feed = 'articles' in page ? page.feed : null
  return feed === null ? [key] : [key, feed]
}

function isSamePage(page: ListingPage | TagIndex, previous: ListingPage | TagIndex | undefined): boolean {
  if (previous !== undefined && 'articles' in page && 'articles' in previous)
    return isSameListing(page, previous)
  return JSON.stringify(page) === JSON.stringify(previous)
}

function toListings(
  laid: readonly Laid[],
  objects: ReadonlyMap<string, LiveObject>,
): Pick<Listings, 'pages' | 'tagIndexes'> {
  return {
    pages: laid.flatMap(([key, page]) =>
      'articles' in page ? [{ ...page, isNew: !isListing(objects.get(key)) }] : [],
    ),
    tagIndexes: laid.flatMap(([, page]) => ('articles' in page ? [] : [page])),
  }
}

/** Paths of the first page of each blog, and of the tag indexes. */
export function frontsOf(lists: ListedArticles, locales: readonly Locale[]): readonly string[] {
  const indexes = taggedBlogs(lists).map(tagsFolder)
  const folders = [...lists.byBlog.keys(), ...indexes, ...siteTagsFolders(lists, locales)]
  return [...new Set(folders)].map((folder) => listingPath(folder, null)).sort()
}

/** Folders of the tag indexes of all blogs in a language. */
function siteTagsFolders(lists: ListedArticles, locales: readonly Locale[]): readonly string[] {
  return taggedBlogs(lists).map((blog) => siteTagsFolder(blog, locales))
}

function taggedBlogs({ byBlog }: ListedArticles): readonly string[] {
  return [...byBlog].flatMap(([blog, cards]) => (cards.some(({ tags }) => tags.length > 0) ? [blog] : []))
}

/** The pages of these folders by key. A blog at the address of a tag index has precedence. */
function layOutAll(
  folders: ReadonlySet<string>,
  slots: ReadonlyMap<string, number>,
  { byFolder, byBlog }: ListedArticles,
  locales: readonly Locale[],
): ReadonlyMap<string, ListingPage | TagIndex> {
  const indexes = [...folders]
    .filter((folder) => folder === SITE_TAGS || folder.endsWith(`/${SITE_TAGS}`))
    .flatMap((folder) => tagIndex(folder, byBlog, locales) ?? [])
  const pages = [...folders].flatMap((folder) =>
    layOutListing(folder, slots.get(folder) ?? 0, byFolder.get(folder) ?? [], locales),
  )
  return new Map([...indexes, ...pages].map((page) => [listingKey(page.path), page]))
}

async function objectsByKey(
  projectId: ProjectId,
  keys: readonly string[],
  liveState: Pick<LiveState, 'objectsAt'>,
): Promise<ReadonlyMap<string, LiveObject>> {
  const found = await liveState.objectsAt(projectId, [...new Set(keys)])
  return new Map(found.map((object) => [object.key, object]))
}

/** A page or redirect at the key of a listing takes precedence, unless it is about to be removed. */
function belongsToPage(object: LiveObject | undefined, leaving: ReadonlySet<string>): boolean {
  if (object === undefined) return false
  const { kind, id } = object.owner
  return (kind === 'page' || kind === 'redirect') && !leaving.has(id)
}

/** Keys of redirects from former paths, over which a list takes precedence. */
async function formerRedirects(
  projectId: ProjectId,
  keys: Iterable<string>,
  objects: ReadonlyMap<string, LiveObject>,
  { formersAt }: Pick<LiveState, 'formersAt'>,
): Promise<ReadonlySet<string>> {
  const redirects = [...keys].filter((key) => objects.get(key)?.owner.kind === 'redirect')
  if (redirects.length === 0) return new Set()
  const formers = await formersAt(projectId, redirects.map(pathOfKey))
  const known = new Set(formers.map(({ path, pageId }) => `${pageId} ${path}`))
  return new Set(redirects.filter((key) => known.has(`${objects.get(key)?.owner.id} ${pathOfKey(key)}`)))
}

function isListing(object: LiveObject | undefined): object is LiveObject {
  return object?.owner.kind === 'listing' && object.digest !== null
}

function isClaimOfListing({ owner, digest }: LiveObject): boolean {
  return owner.kind === 'listing' && digest === null
}

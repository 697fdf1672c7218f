import { compareDates } from '../../domain/date.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import {
  foldersAt,
  isSameListing,
  type ListingPage,
  layOutListing,
  listingKey,
  listingPath,
} from '../../domain/listing.ts'
import type { LiveCard, SiteIdentity } from '../../domain/live-page.ts'
import type { Listings } from '../../renderer/renderer.ts'
import type { InProject } from '../ledger/leases.ts'
import type { AtRevision, ListingSlot, LiveObject, LiveState } from '../ledger/live-state.ts'
import { mergeFacts } from './merge-facts.ts'

/** The change of a batch, as far as listings depend on it. */
export interface ListingChange {
  readonly site: SiteIdentity
  /** Pages whose live content changes or that are removed. */
  readonly touched: ReadonlySet<string>
  /** Pages that are published again without a change. */
  readonly confirmed: ReadonlySet<string>
  /** Cards of the articles that go live, with their slots. */
  readonly cards: readonly LiveCard[]
  readonly slots: readonly ListingSlot[]
  /** Objects of the batch's pages. */
  readonly owned: readonly LiveObject[]
  /** Every claim of the batch, those of an interrupted attempt included. */
  readonly claimed: readonly LiveObject[]
  /** Keys of the pages and redirects that the batch writes or keeps. */
  readonly written: ReadonlySet<string>
}

export interface NextListings extends Listings {
  /** Listing objects that are replaced or removed. */
  readonly existing: readonly LiveObject[]
  /** Objects that an interrupted attempt may have written and no row describes. */
  readonly strays: readonly LiveObject[]
}

/**
 * Assigns each article a slot in the listing of its folder: the slot it had before, otherwise the next free one.
 * New articles of one batch are ordered by date.
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
  const folders = new Set(listed.map(({ folder }) => folder ?? ''))
  const next = new Map(await liveState.nextSlots(projectId, [...folders]))
  const slots: ListingSlot[] = []
  const withSlots = listed.map((card): LiveCard => {
    const folder = card.folder ?? ''
    const previous = assigned.find((slot) => slot.pageId === card.id && slot.folder === folder)
    if (previous !== undefined) return { ...card, slot: previous.slot }
    const slot = next.get(folder) ?? 0
    next.set(folder, slot + 1)
    slots.push({ pageId: card.id, folder, slot })
    return { ...card, slot }
  })
  return { cards: new Map(withSlots.map((card) => [card.id, card])), slots }
}

function oldestFirst(a: LiveCard, b: LiveCard): number {
  const order = compareDates(a.date, b.date)
  if (order !== 0) return order
  return a.id < b.id ? -1 : 1
}

/**
 * Decides which listing pages a batch writes and removes, and lists the front pages after it.
 *
 * A listing page is written when one of its articles was published or removed, when its neighbours changed, or when
 * it is missing. It then shows current settings; other listing pages keep theirs, as pages do that are not published
 * again.
 */
export async function nextListings(
  { projectId, asOf }: AtRevision,
  { site, touched, confirmed, cards, slots, owned, claimed, written }: ListingChange,
  liveState: Pick<LiveState, 'cards' | 'nextSlots' | 'objectsAt' | 'objectsOfKinds'>,
): Promise<NextListings> {
  if (site.hostingMode === 'data_mode') {
    const existing = await liveState.objectsOfKinds(projectId, ['listing'])
    return { pages: [], fronts: [], existing, strays: [] }
  }
  const previous = await liveState.cards(projectId, 'article', asOf)
  const next = mergeFacts(previous, touched, cards)
  const [previousFolders, nextFolders] = [byFolder(previous), byFolder(next)]

  const freed = new Set([...owned, ...claimed].map(({ key }) => key).filter((key) => !written.has(key)))
  const isPublished = ({ id }: LiveCard) => touched.has(id) || confirmed.has(id)
  const changed = [...previous.filter(isPublished), ...cards]
  const affected = new Set([
    ...changed.flatMap(({ folder }) => (folder === null ? [] : [folder])),
    ...[...freed].flatMap(foldersAt),
  ])
  const previousSlots = await liveState.nextSlots(projectId, [...affected])
  const nextSlots = new Map(previousSlots)
  for (const { folder, slot } of slots) nextSlots.set(folder, Math.max(nextSlots.get(folder) ?? 0, slot + 1))
  const previousPages = byKey(layOutAll(affected, previousSlots, previousFolders))
  const nextPages = byKey(layOutAll(affected, nextSlots, nextFolders))

  const fronts = [...nextFolders.keys()].map((folder) => listingPath(folder, null)).sort()
  const objects = await objectsByKey(
    projectId,
    [...previousPages.keys(), ...nextPages.keys(), ...fronts.map(listingKey)],
    liveState,
  )
  const isTaken = (key: string) => written.has(key) || belongsToPage(objects.get(key), touched)
  const isDue = ([key, page]: readonly [string, ListingPage]) =>
    freed.has(key) ||
    !isListing(objects.get(key)) ||
    !isSameListing(page, previousPages.get(key)) ||
    page.articles.some(isPublished)

  const due = [...nextPages].filter((entry) => isDue(entry) && !isTaken(entry[0]))
  const removed = [...previousPages.keys()].filter((key) => !nextPages.has(key))
  return {
    pages: due.map(([key, page]) => ({ ...page, isNew: !isListing(objects.get(key)) })),
    fronts: fronts.filter((path) => !isTaken(listingKey(path))),
    existing: [...due.map(([key]) => key), ...removed].map((key) => objects.get(key)).filter(isListing),
    strays: claimed.filter(
      (object) => isClaimOfListing(object) && !nextPages.has(object.key) && !written.has(object.key),
    ),
  }
}

/** The listings as of the live rows. Lays out the pages at the given keys only. */
export async function currentListings(
  projectId: ProjectId,
  site: SiteIdentity,
  keys: ReadonlySet<string>,
  liveState: Pick<LiveState, 'cards' | 'nextSlots' | 'objectsAt'>,
): Promise<Listings> {
  if (site.hostingMode === 'data_mode') return { pages: [], fronts: [] }
  const folders = byFolder(await liveState.cards(projectId, 'article'))
  const wanted = new Set([...keys].flatMap(foldersAt))
  const pages = byKey(layOutAll(wanted, await liveState.nextSlots(projectId, [...wanted]), folders))
  const fronts = [...folders.keys()].map((folder) => listingPath(folder, null)).sort()
  const objects = await objectsByKey(projectId, [...keys, ...fronts.map(listingKey)], liveState)
  const isTaken = (key: string) => belongsToPage(objects.get(key), new Set())
  return {
    pages: [...pages]
      .filter(([key]) => keys.has(key) && !isTaken(key))
      .map(([key, page]) => ({ ...page, isNew: !isListing(objects.get(key)) })),
    fronts: fronts.filter((path) => !isTaken(listingKey(path))),
  }
}

/** Publishing other pages than articles leaves the array of cards the same, so the grouping is cached by it. */
const foldersOf = new WeakMap<readonly LiveCard[], ReadonlyMap<string, readonly LiveCard[]>>()

function byFolder(cards: readonly LiveCard[]): ReadonlyMap<string, readonly LiveCard[]> {
  const cached = foldersOf.get(cards)
  if (cached !== undefined) return cached
  const folders = new Map<string, LiveCard[]>()
  for (const card of cards) {
    if (card.folder === null) continue
    const others = folders.get(card.folder)
    if (others === undefined) folders.set(card.folder, [card])
    else others.push(card)
  }
  foldersOf.set(cards, folders)
  return folders
}

function layOutAll(
  folders: ReadonlySet<string>,
  slots: ReadonlyMap<string, number>,
  cards: ReadonlyMap<string, readonly LiveCard[]>,
): readonly ListingPage[] {
  return [...folders].flatMap((folder) =>
    layOutListing(folder, slots.get(folder) ?? 0, cards.get(folder) ?? []),
  )
}

function byKey(pages: readonly ListingPage[]): ReadonlyMap<string, ListingPage> {
  return new Map(pages.map((page) => [listingKey(page.path), page]))
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

function isListing(object: LiveObject | undefined): object is LiveObject {
  return object?.owner.kind === 'listing' && object.digest !== null
}

function isClaimOfListing({ owner, digest }: LiveObject): boolean {
  return owner.kind === 'listing' && digest === null
}

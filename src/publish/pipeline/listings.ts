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

/** What a batch does, as far as listings are concerned. */
export interface ListingChange {
  readonly site: SiteIdentity
  /** Pages that go live or are taken down. */
  readonly touched: ReadonlySet<string>
  /** Pages that were published again and came out as they lie there. */
  readonly confirmed: ReadonlySet<string>
  /** Of those that go live, with their slots. */
  readonly cards: readonly LiveCard[]
  readonly slots: readonly ListingSlot[]
  /** Objects of the pages touched. */
  readonly owned: readonly LiveObject[]
  /** Whatever the batch has claimed, by now or before it was broken off. */
  readonly claimed: readonly LiveObject[]
  /** Keys at which pages and redirects of the batch will lie. */
  readonly written: ReadonlySet<string>
}

export interface NextListings extends Listings {
  /** Objects of listings that are replaced, or removed. */
  readonly existing: readonly LiveObject[]
  /** What may lie there and nobody knows. */
  readonly strays: readonly LiveObject[]
}

/**
 * Give each article its slot in the listing of its folder: the one it has had, else the next. Articles
 * that come together stand in the order of their dates.
 */
export async function assignSlots(
  { projectId }: InProject,
  cards: readonly LiveCard[],
  liveState: Pick<LiveState, 'slotsOf' | 'nextSlots'>,
): Promise<{ readonly cards: ReadonlyMap<PageId, LiveCard>; readonly slots: readonly ListingSlot[] }> {
  const listed = cards.filter(({ folder }) => folder !== null).sort(oldestFirst)
  if (listed.length === 0) return { cards: new Map(), slots: [] }
  const had = await liveState.slotsOf(
    projectId,
    listed.map(({ id }) => id),
  )
  const folders = new Set(listed.map(({ folder }) => folder ?? ''))
  const next = new Map(await liveState.nextSlots(projectId, [...folders]))
  const slots: ListingSlot[] = []
  const placed = listed.map((card): LiveCard => {
    const folder = card.folder ?? ''
    const own = had.find(({ pageId, folder: its }) => pageId === card.id && its === folder)
    if (own !== undefined) return { ...card, slot: own.slot }
    const slot = next.get(folder) ?? 0
    next.set(folder, slot + 1)
    slots.push({ pageId: card.id, folder, slot })
    return { ...card, slot }
  })
  return { cards: new Map(placed.map((card) => [card.id, card])), slots }
}

function oldestFirst(a: LiveCard, b: LiveCard): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/**
 * The pages of listings that a batch changes, and where the front pages are afterwards. Only those are
 * written whose articles were published or went, whose neighbours changed, or that are missing; they are then
 * as of now, and the others stay as they are, like pages that nobody publishes again.
 */
export async function nextListings(
  { projectId, asOf }: AtRevision,
  { site, touched, confirmed, cards, slots, owned, claimed, written }: ListingChange,
  liveState: Pick<LiveState, 'cards' | 'nextSlots' | 'objectsAt' | 'objectsOfKinds'>,
): Promise<NextListings> {
  if (site.hostingMode === 'data_mode') {
    const lying = await liveState.objectsOfKinds(projectId, ['listing'])
    return { pages: [], fronts: [], existing: lying, strays: [] }
  }
  const before = await liveState.cards(projectId, 'article', asOf)
  const after = mergeFacts(before, touched, cards)
  const [foldersBefore, foldersAfter] = [byFolder(before), byFolder(after)]

  const freed = new Set([...owned, ...claimed].map(({ key }) => key).filter((key) => !written.has(key)))
  const isPublished = ({ id }: LiveCard) => touched.has(id) || confirmed.has(id)
  const changed = [...before.filter(isPublished), ...cards]
  const affected = new Set([
    ...changed.flatMap(({ folder }) => (folder === null ? [] : [folder])),
    ...[...freed].flatMap(foldersAt),
  ])
  const given = await liveState.nextSlots(projectId, [...affected])
  const givenAfter = new Map(given)
  for (const { folder, slot } of slots)
    givenAfter.set(folder, Math.max(givenAfter.get(folder) ?? 0, slot + 1))
  const was = byKey(layOutAll(affected, given, foldersBefore))
  const will = byKey(layOutAll(affected, givenAfter, foldersAfter))

  const fronts = [...foldersAfter.keys()].map((folder) => listingPath(folder, null)).sort()
  const lying = await objectsByKey(
    projectId,
    [...was.keys(), ...will.keys(), ...fronts.map(listingKey)],
    liveState,
  )
  const isTaken = (key: string) => written.has(key) || belongsToPage(lying.get(key), touched)
  const isDue = ([key, page]: readonly [string, ListingPage]) =>
    freed.has(key) ||
    !isListing(lying.get(key)) ||
    !isSameListing(page, was.get(key)) ||
    page.articles.some(isPublished)

  const due = [...will].filter((entry) => isDue(entry) && !isTaken(entry[0]))
  const gone = [...was.keys()].filter((key) => !will.has(key))
  return {
    pages: due.map(([key, page]) => ({ ...page, isNew: !isListing(lying.get(key)) })),
    fronts: fronts.filter((path) => !isTaken(listingKey(path))),
    existing: [...due.map(([key]) => key), ...gone].map((key) => lying.get(key)).filter(isListing),
    strays: claimed.filter(
      (object) => isClaimOfListing(object) && !will.has(object.key) && !written.has(object.key),
    ),
  }
}

/** The listings as the live rows say they are; of their pages those at the keys given. */
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
  const lying = await objectsByKey(projectId, [...keys, ...fronts.map(listingKey)], liveState)
  const isTaken = (key: string) => belongsToPage(lying.get(key), new Set())
  return {
    pages: [...pages]
      .filter(([key]) => keys.has(key) && !isTaken(key))
      .map(([key, page]) => ({ ...page, isNew: !isListing(lying.get(key)) })),
    fronts: fronts.filter((path) => !isTaken(listingKey(path))),
  }
}

/** Publishing a page that is no article leaves the cards as they are; they are then the same array. */
const foldersOf = new WeakMap<readonly LiveCard[], ReadonlyMap<string, readonly LiveCard[]>>()

function byFolder(cards: readonly LiveCard[]): ReadonlyMap<string, readonly LiveCard[]> {
  const known = foldersOf.get(cards)
  if (known !== undefined) return known
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
  given: ReadonlyMap<string, number>,
  cards: ReadonlyMap<string, readonly LiveCard[]>,
): readonly ListingPage[] {
  return [...folders].flatMap((folder) =>
    layOutListing(folder, given.get(folder) ?? 0, cards.get(folder) ?? []),
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

/** A page that stays there, or its redirect, takes the place of a listing. */
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

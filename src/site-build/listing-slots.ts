import { compareDates } from '../domain/date.ts'
import type { PageId } from '../domain/ids.ts'
import { listingFolder } from '../domain/listing.ts'
import type { ListingSlot } from '../publish/ledger/live-state.ts'
import type { ClaimedRelease } from '../publish/ledger/release-queue.ts'
import type { BuildState } from './state/build-state.ts'
import type { BuiltPage } from './state/built-page.ts'

/** A state whose articles stand in the listings of their folders as a first build would have them. */
export interface ListingOrder {
  readonly state: BuildState
  /** Folders whose order changed. Their listings are rendered again. */
  readonly folders: ReadonlySet<string>
}

/**
 * A service gives an article its slot for good, so that few pages of a listing change with the next one. A folder that
 * is built has no such past: what it becomes is to follow from what stands in it, wherever it is built.
 *
 * @param publishes all pages that go live.
 * @param now ISO 8601 UTC; the date of articles that have none and were never built.
 */
export function inListingOrder(
  state: BuildState,
  publishes: readonly ClaimedRelease[],
  now: string,
): ListingOrder {
  if (state.slots.length === 0) return { state, folders: new Set() }
  const slots = slotsInOrder(publishes, now)
  const folders = foldersApart(state.slots, slots)
  if (folders.size === 0) return { state, folders }

  const isOf = ({ folder }: ListingSlot) => folders.has(folder)
  const fresh = slots.filter(isOf)
  const pages = new Map(state.pages)
  for (const { pageId, slot } of fresh) {
    const page = pages.get(pageId)
    if (page !== undefined) pages.set(pageId, { ...page, card: { ...page.card, slot } })
  }
  const stale = [...state.files.others].filter(
    ([, { owner }]) => owner?.kind === 'listing' && folders.has(owner.id),
  )
  return {
    state: {
      ...state,
      pages,
      slots: [...state.slots.filter((slot) => !isOf(slot)), ...fresh],
      files: state.files.with(stale.map(([key]) => [key, null])),
    },
    folders,
  }
}

/** Whether all articles keep their slots when these pages are published again. No page was added or removed. */
export function keepsListingOrder(
  { pages }: BuildState,
  publishes: readonly ClaimedRelease[],
  now: string,
): boolean {
  const dates = new Map<PageId, string>()
  const folders = new Set<string>()
  for (const claimed of publishes) {
    const { pageId } = claimed.release
    const place = placeInLists(claimed, now)
    const built = pages.get(pageId)
    const card = built && isArticle(built) ? built.card : null
    if ((place?.folder ?? null) !== (card?.folder ?? null)) return false
    if (place === null || place.date === card?.date) continue
    dates.set(pageId, place.date)
    folders.add(place.folder)
  }
  if (folders.size === 0) return true
  const listed = [...pages.values()]
    .filter(isArticle)
    .flatMap(({ card: { id, folder, date, slot } }) =>
      folder !== null && folders.has(folder)
        ? [{ pageId: id, folder, date: dates.get(id) ?? date, slot }]
        : [],
    )
  const slots = new Map(listed.map(({ pageId, slot }) => [pageId, slot]))
  return inSlots(listed).every(({ pageId, slot }) => slots.get(pageId) === slot)
}

function isArticle({ facts }: BuiltPage): boolean {
  return facts.type === 'article'
}

function slotsInOrder(publishes: readonly ClaimedRelease[], now: string): readonly ListingSlot[] {
  return inSlots(
    publishes.flatMap((claimed) => {
      const place = placeInLists(claimed, now)
      return place === null ? [] : [{ pageId: claimed.release.pageId, ...place }]
    }),
  )
}

/** The folder that lists an article, and its date; null if no folder lists it. */
function placeInLists(
  { release: { snapshot }, firstPublishedAt }: ClaimedRelease,
  now: string,
): Pick<Dated, 'folder' | 'date'> | null {
  const { page, fields, site } = snapshot
  if (page.type !== 'article' || site.hostingMode === 'data_mode') return null
  const folder = listingFolder(snapshot)
  return folder === null ? null : { folder, date: fields.publishDate ?? firstPublishedAt ?? now }
}

/** Slots in each folder, the oldest article first. */
function inSlots(listed: readonly Dated[]): readonly ListingSlot[] {
  const given = new Map<string, number>()
  return listed.toSorted(oldestFirst).map(({ pageId, folder }) => {
    const slot = given.get(folder) ?? 0
    given.set(folder, slot + 1)
    return { pageId, folder, slot }
  })
}

interface Dated {
  readonly pageId: PageId
  readonly folder: string
  readonly date: string
}

function oldestFirst(a: Dated, b: Dated): number {
  const order = compareDates(a.date, b.date)
  if (order !== 0) return order
  return a.pageId < b.pageId ? -1 : 1
}

/** Folders in which an article has another slot, or a slot has no article. A new last article has no slot yet. */
function foldersApart(had: readonly ListingSlot[], slots: readonly ListingSlot[]): ReadonlySet<string> {
  const before = new Map(had.map((slot) => [nameOf(slot), slot]))
  const wanted = new Map(slots.map((slot) => [nameOf(slot), slot]))
  const given = new Map<string, number>()
  for (const { folder } of had) given.set(folder, (given.get(folder) ?? 0) + 1)
  const left = had.filter((slot) => wanted.get(nameOf(slot))?.slot !== slot.slot)
  const between = slots.filter(
    (slot) => !before.has(nameOf(slot)) && slot.slot < (given.get(slot.folder) ?? 0),
  )
  return new Set([...left, ...between].map(({ folder }) => folder))
}

/** Unambiguous, because folder names have no line ends. */
function nameOf({ folder, pageId }: ListingSlot): string {
  return `${folder}\n${pageId}`
}

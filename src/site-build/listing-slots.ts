import { compareDates } from '../domain/date.ts'
import type { PageId } from '../domain/ids.ts'
import { listingFolder, placesOf, withSlots } from '../domain/listing.ts'
import { authorFolder } from '../domain/site-author.ts'
import { tagAddress } from '../domain/tag.ts'
import { tagFolder } from '../domain/tag-list.ts'
import type { ClaimedRelease } from '../publish/decide/claimed-release.ts'
import type { ListingSlot } from '../publish/ledger/live-state.ts'
import type { BuildState } from './state/build-state.ts'
import type { BuiltPage } from './state/built-page.ts'

/** A state with the articles in the same listing order as in a first build. */
export interface ListingOrder {
  readonly state: BuildState
  /** Folders whose order changed. Their listings are rendered again. */
  readonly folders: ReadonlySet<string>
}

/**
 * A service gives an article its slot permanently, so that few pages of a listing change with the next one. A build has
 * no such history: its output must depend on the content folder alone, on every machine.
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
  const moved = new Map<PageId, Map<string, number>>()
  for (const { pageId, folder, slot } of fresh) {
    const own = moved.get(pageId) ?? new Map<string, number>()
    moved.set(pageId, own.set(folder, slot))
  }
  for (const [pageId, own] of moved) {
    const page = pages.get(pageId)
    if (page === undefined) continue
    const had = new Map(placesOf(page.card).map(({ folder, slot }) => [folder, slot]))
    const card = withSlots(page.card, (folder) => own.get(folder) ?? had.get(folder) ?? 0)
    pages.set(pageId, { ...page, card })
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

/** Reports whether all articles keep their slots when these pages are published again. No page was added or removed. */
export function keepsListingOrder(
  { pages }: BuildState,
  publishes: readonly ClaimedRelease[],
  now: string,
): boolean {
  const dates = new Map<PageId, string>()
  const folders = new Set<string>()
  for (const claimed of publishes) {
    const { pageId } = claimed.release
    const [place] = placesInLists(claimed, now)
    const named = placesInLists(claimed, now).map(({ folder }) => folder)
    const built = pages.get(pageId)
    const card = built && isArticle(built) ? built.card : null
    const had = card === null ? [] : placesOf(card).map(({ folder }) => folder)
    if (named.join('\n') !== had.join('\n')) return false
    if (place === undefined || place.date === card?.date) continue
    dates.set(pageId, place.date)
    for (const folder of named) folders.add(folder)
  }
  if (folders.size === 0) return true
  const listed = [...pages.values()].filter(isArticle).flatMap(({ card }) =>
    placesOf(card)
      .filter(({ folder }) => folders.has(folder))
      .map(({ folder, slot }) => ({ pageId: card.id, folder, date: dates.get(card.id) ?? card.date, slot })),
  )
  const slots = new Map(listed.map((place) => [nameOf(place), place.slot]))
  return inSlots(listed).every((place) => slots.get(nameOf(place)) === place.slot)
}

function isArticle({ facts }: BuiltPage): boolean {
  return facts.type === 'article'
}

function slotsInOrder(publishes: readonly ClaimedRelease[], now: string): readonly ListingSlot[] {
  return inSlots(
    publishes.flatMap((claimed) =>
      placesInLists(claimed, now).map((place) => ({ pageId: claimed.release.pageId, ...place })),
    ),
  )
}

/** The folders of the listings of an article, and its date. */
function placesInLists(
  { release: { snapshot }, firstPublishedAt }: ClaimedRelease,
  now: string,
): readonly Pick<Dated, 'folder' | 'date'>[] {
  const { page, fields, site } = snapshot
  if (page.type !== 'article' || site.hostingMode === 'data_mode') return []
  const folder = listingFolder(snapshot)
  if (folder === null) return []
  const date = fields.publishDate ?? firstPublishedAt ?? now
  const ofTags = fields.tags.map((name) => tagFolder(folder, tagAddress(name)))
  const author = fields.author?.address
  const ofAuthor = author === undefined ? [] : [authorFolder(folder, author)]
  return [folder, ...ofTags, ...ofAuthor].map((place) => ({ folder: place, date }))
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
function nameOf({ folder, pageId }: Pick<ListingSlot, 'folder' | 'pageId'>): string {
  return `${folder}\n${pageId}`
}

import type { Artifact } from '../../domain/artifact.ts'
import type { PageId, ReleaseId } from '../../domain/ids.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import { pathOfKey } from '../../domain/redirect-path.ts'
import { putsLive, type Stamp } from '../../domain/release.ts'
import type { InProject } from '../ledger/leases.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { ClaimedRelease, Commit, ListingClaim } from '../ledger/release-queue.ts'
import type { PreparePorts } from '../ports.ts'
import { assignSlots } from './listings.ts'
import {
  isSameLine,
  lineOf,
  livePageRow,
  publishedOutcome,
  type RenderedRelease,
  removedOutcome,
  unchangedOutcome,
} from './live-page-row.ts'
import { type IndexChange, type NextIndexes, nextIndexes } from './next-indexes.ts'
import { type Plan, plan, type UploadContext } from './plan.ts'
import { newest, type ProjectedSite } from './projected-site.ts'
import { pageRedirects, type Redirects } from './redirects.ts'

/** A batch as it is about to go live: every decision made, nothing touched yet. */
export interface PreparedBatch {
  readonly plan: Plan
  /** Pages of listings it writes or removes, and the release that claims them. */
  readonly listings: { readonly claimer: ReleaseId; readonly pages: readonly ListingClaim[] }
  /** But for what is to be kept. */
  readonly commit: Omit<Commit, 'artifacts'>
}

/**
 * Decide what goes live of the pages of a batch, all of them rendered, and of everything that is made of the site:
 * pages that would lie there as they do already are confirmed, and nothing of them is written.
 */
export async function prepare(
  place: InProject,
  batch: readonly ClaimedRelease[],
  after: ProjectedSite,
  rendered: readonly RenderedRelease[],
  now: string,
  ports: PreparePorts,
): Promise<PreparedBatch> {
  const { projectId } = place
  const asTheyLie = batch.some(isRetaken) ? unknownBytes : (objects: readonly LiveObject[]) => objects
  const owned = asTheyLie(
    await ports.liveState.objectsOfPages(
      projectId,
      batch.map(({ release }) => release.pageId),
    ),
  )
  const { site } = newest(batch).snapshot
  const ownedBy = byOwner(owned)
  const isTaken = takenIn(rendered)
  const placed = rendered.map((page): Placed => {
    const lying = (ownedBy.get(page.facts.id) ?? []).filter(
      ({ key, owner }) => owner.kind !== 'redirect' || !isTaken(pathOfKey(key), page.facts.id),
    )
    return { page, lying, redirects: pageRedirects(page, lying, (path) => isTaken(path, page.facts.id)) }
  })
  const [changed, unchanged]: [Placed[], Placed[]] = [[], []]
  for (const one of placed) (hasChanged(one) ? changed : unchanged).push(one)
  const removed = batch.filter(({ release }) => !putsLive(release))

  const { cards, slots } = await assignSlots(
    place,
    changed.map(({ page: { card } }) => card),
    ports.liveState,
  )
  const pages = changed.map(({ page, redirects }) =>
    livePageRow({ ...page, card: cards.get(page.card.id) ?? page.card }, redirects.previousPaths, now),
  )
  const gone = removed.map(({ release }) => release.pageId)
  const touched = new Set<string>([...pages.map(({ pageId }) => pageId), ...gone])
  const own = changed.flatMap(({ page, redirects }) => [...page.rendered.artifacts, ...redirects.artifacts])
  const change: IndexChange = {
    pages,
    removed: gone,
    touched,
    confirmed: new Set(unchanged.map(({ page }) => page.facts.id)),
    cards: pages.map(({ card }) => card).filter(({ type }) => type === 'article'),
    slots,
    owned,
    claimed: await ports.liveState.objectsClaimedBy(batch.map(({ release }) => release.id)),
    written: new Set([...own, ...unchanged.flatMap(({ page }) => page.rendered.artifacts)].map(keyOf)),
  }
  const stamps = new Map<string, Stamp>(
    pages.map(({ pageId, releaseId }) => [pageId, { releaseId, publishedAt: now }]),
  )
  const stamp: Stamp = { releaseId: newest(batch).id, publishedAt: now }
  const writing: UploadContext = { keyId: site.keyId, stampOf: ({ owner }) => stamps.get(owner.id) ?? stamp }
  const lies = ({ artifacts, existing: lying, strays }: NextIndexes) =>
    changesNothing(plan(artifacts, asTheyLie(lying), writing)) && strays.length === 0
  const indexes = await nextIndexes(place, after, change, lies, ports)

  const artifacts = [...own, ...indexes.artifacts]
  const going = new Set<string>(gone)
  const replaced = owned.filter(
    (object) => touched.has(object.owner.id) && (going.has(object.owner.id) || !isFrozen(object, site)),
  )
  const made = plan(artifacts, [...replaced, ...asTheyLie(indexes.existing)], writing)

  const untouched = unchanged.flatMap(({ page }) => page.rendered.artifacts.map(keyOf))
  const deletes = [...made.deletes, ...indexes.strays]

  return {
    plan: { ...made, keeps: [...new Set([...made.keeps, ...untouched])], deletes },
    listings: { claimer: newest(batch).id, pages: claimsOf(made) },
    commit: {
      live: [
        ...changed.map(({ page }) => ({
          release: page.claimed.release,
          outcome: publishedOutcome(page, now),
        })),
        ...unchanged.map(({ page }) => ({
          release: page.claimed.release,
          outcome: unchangedOutcome(page, now),
        })),
        ...removed.map((claimed) => ({ release: claimed.release, outcome: removedOutcome(claimed) })),
      ],
      pages,
      confirmed: unchanged.map(({ page: { facts, digests } }) => ({ pageId: facts.id, digests })),
      removed: gone,
      slots,
      uploads: made.uploads,
      deletes: deletes.map(keyOf),
      site: indexes.site,
      removesSearchIndex: indexes.removesSearchIndex,
    },
  }
}

/** Whether an earlier attempt at it was broken off: by then it was claimed. */
function isRetaken({ release }: ClaimedRelease): boolean {
  return release.state === 'claimed'
}

/**
 * An earlier attempt may have written over any of these, with what the site would have become then; others
 * may change with the batch now, so that what was live before is right again. All is written once more.
 */
function unknownBytes(objects: readonly LiveObject[]): readonly LiveObject[] {
  return objects.map((object) => (object.digest === null ? object : { ...object, digest: UNKNOWN }))
}

/** No bytes have this digest. */
const UNKNOWN = ''

/** Pages of listings that are about to be written or removed. */
function claimsOf({ uploads, deletes }: Plan): readonly ListingClaim[] {
  const written = uploads.map(({ artifact }) => artifact).filter(({ owner }) => owner.kind === 'listing')
  const removed = deletes.filter(({ owner }) => owner.kind === 'listing')
  return [...written, ...removed].map(({ key, owner }) => ({ key, folder: owner.id }))
}

function keyOf({ key }: Pick<Artifact, 'key'>): string {
  return key
}

function byOwner(objects: readonly LiveObject[]): ReadonlyMap<string, readonly LiveObject[]> {
  const found = new Map<string, LiveObject[]>()
  for (const object of objects) {
    const own = found.get(object.owner.id)
    if (own === undefined) found.set(object.owner.id, [object])
    else own.push(object)
  }
  return found
}

/** A page that goes live, with what leads to it. */
interface Placed {
  readonly page: RenderedRelease
  readonly redirects: Redirects
  /** What of its own lies there and is not about to be another's. */
  readonly lying: readonly LiveObject[]
}

/** Whether a page lies at a path once all of these are live, or another than this redirects from it. */
function takenIn(pages: readonly RenderedRelease[]): (path: string, id: PageId) => boolean {
  const paths = new Set(pages.map(({ facts }) => facts.path))
  const leading = new Map(
    pages.flatMap(({ claimed, facts }) => claimed.redirectFrom.map((path) => [path, facts.id] as const)),
  )
  return (path, id) => paths.has(path) || (leading.get(path) ?? id) !== id
}

/** Judged by what a visitor gets and what the indexes say, not by when it was published. */
function hasChanged({ page, redirects, lying }: Placed): boolean {
  const { claimed, facts, rendered } = page
  const { live } = claimed
  if (live === null || JSON.stringify(live.facts) !== JSON.stringify(facts)) return true
  if (!isSameLine(live.line, lineOf(page, live.publishedAt))) return true
  const own = rendered.artifacts.filter(({ owner }) => owner.kind === 'page')
  const { site } = claimed.release.snapshot
  const replaced = lying.filter((object) => !isFrozen(object, site))
  const stampOf: UploadContext['stampOf'] = () => live
  return !changesNothing(plan([...own, ...redirects.artifacts], replaced, { keyId: site.keyId, stampOf }))
}

function changesNothing({ uploads, deletes }: Plan): boolean {
  return uploads.length + deletes.length === 0
}

/** What was sealed stays for its readers when Data Mode is off, until the page goes or is sealed again. */
function isFrozen({ keyId }: LiveObject, site: SiteIdentity): boolean {
  return keyId !== null && site.keyId === null
}

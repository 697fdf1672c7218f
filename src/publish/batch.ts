import type { Artifact } from '../domain/artifact.ts'
import { messageOf, ServiceError } from '../domain/errors.ts'
import type { PageId, ReleaseId } from '../domain/ids.ts'
import type { SiteIdentity } from '../domain/live-page.ts'
import { pathOfKey } from '../domain/redirect-path.ts'
import { putsLive, type Release, type Stamp } from '../domain/release.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import type { Storage } from '../storage/storage.ts'
import { someAtOnce } from './at-once.ts'
import { withDeadLinks } from './dead-links.ts'
import { deploy } from './deploy.ts'
import {
  isSameLine,
  lineOf,
  liveDigests,
  livePageRow,
  publishedOutcome,
  type RenderedRelease,
  removedOutcome,
  unchangedOutcome,
} from './going-live.ts'
import { type IndexChange, type Indexes, indexesAfter } from './indexes-after.ts'
import type {
  ClaimedRelease,
  Commit,
  Failed,
  InProject,
  Lease,
  Ledger,
  ListingClaim,
  LiveObject,
} from './ledger.ts'
import { giveSlots } from './listings.ts'
import { type Plan, plan, type Writing } from './plan.ts'
import { type Redirects, redirectsTo, redirectWarnings } from './redirects.ts'
import { restoredPage } from './restored-page.ts'
import { createSealing, sealingWithoutKeys } from './seal.ts'
import { newest, type PageToRender, type SiteAfter, siteAfter } from './site-after.ts'

/** What preparing a batch asks of the ledger; `build/` answers it from the folder it wrote. */
export type BatchLedger = Pick<
  Ledger,
  | 'liveSite'
  | 'liveFacts'
  | 'liveCards'
  | 'indexLines'
  | 'feedEntries'
  | 'objectsOfPages'
  | 'objectsOfKinds'
  | 'made'
  | 'kept'
  | 'contentKeys'
  | 'searchPages'
  | 'searchEntries'
  | 'searchBase'
  | 'slotsOf'
  | 'slotsGiven'
  | 'claimedBy'
  | 'objectsAt'
>

export interface PreparePorts {
  readonly ledger: BatchLedger
  readonly renderer: Renderer
  /** Opens the content keys of projects in Data Mode. */
  readonly masterKey: MasterKey
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/** What a batch of a service asks for besides: its pages may link to others that are not live. */
interface JudgePorts extends PreparePorts {
  readonly ledger: BatchLedger & Pick<Ledger, 'linkTargets'>
}

export interface PublishPorts extends PreparePorts {
  readonly ledger: Ledger
  readonly storage: Storage
}

/** A batch as it is about to go live: every decision made, nothing touched yet. */
export interface PreparedBatch {
  readonly plan: Plan
  /** Pages of listings it writes or removes, and the release that claims them. */
  readonly listings: { readonly claimer: ReleaseId; readonly pages: readonly ListingClaim[] }
  /** But for what is to be kept. */
  readonly commit: Omit<Commit, 'kept'>
}

/**
 * Render what a batch publishes and compare it with what is live.
 *
 * Pages that cannot be rendered, or may not go live with a warning, are handed back as `failed`; the
 * others are then prepared without them, so that no navigation names a page that does not go live. `prepared` is null when none is left.
 */
export async function prepareBatch(
  place: InProject,
  batch: readonly ClaimedRelease[],
  ports: JudgePorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly failed: readonly Failed[] }> {
  const now = ports.now()
  const judged = (pages: readonly RenderedRelease[]) => withDeadLinks(place.projectId, pages, ports.ledger)
  const failed: Failed[] = []
  for (let rest = batch; rest.length > 0; ) {
    const { refused, prepared } = await attempt(place, rest, now, { ...ports, judged })
    if (prepared !== null) return { prepared, failed }
    failed.push(...refused)
    const gone = new Set(refused.map(({ release }) => release.id))
    rest = rest.filter(({ release }) => !gone.has(release.id))
  }
  return { prepared: null, failed }
}

/**
 * As `prepareBatch`, of what goes live whole or not at all: where a page fails, nothing is prepared. Dead links
 * are left to whoever asks (`build/complaints`), who looks for those of pages that did not change as well.
 */
export async function prepareWhole(
  place: InProject,
  batch: readonly ClaimedRelease[],
  ports: WholePorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly failed: readonly Failed[] }> {
  if (batch.length === 0) return { prepared: null, failed: [] }
  const judged = async (pages: readonly RenderedRelease[]) => {
    await ports.onAllRendered()
    return pages
  }
  const { refused, prepared } = await attempt(place, batch, ports.now(), { ...ports, judged })
  return { prepared, failed: refused }
}

interface WholePorts extends PreparePorts {
  /** Waited for when no page is to be rendered any more, and before anything is made of all of them. */
  readonly onAllRendered: () => Promise<void>
}

interface AttemptPorts extends PreparePorts {
  /** The pages with what is to be said of all of them together. */
  readonly judged: (pages: readonly RenderedRelease[]) => Promise<readonly RenderedRelease[]>
}

/** Null is prepared where any is refused. */
async function attempt(
  place: InProject,
  batch: readonly ClaimedRelease[],
  now: string,
  ports: AttemptPorts,
): Promise<{ readonly prepared: PreparedBatch | null; readonly refused: readonly Failed[] }> {
  const site = await siteAfter(place, batch, now, ports.ledger)
  const attempts = await someAtOnce(site.pages, MOST_ASKED, (page) => attemptRender(page, site, ports))
  const done = attempts.filter((attempt): attempt is RenderedRelease => 'rendered' in attempt)
  const rendered = await ports.judged(done)
  const refused = [
    ...attempts.filter((attempt): attempt is Failed => 'failure' in attempt),
    ...rendered.flatMap(refusedForWarnings),
  ]
  if (refused.length > 0) return { prepared: null, refused }
  return { prepared: await prepare(place, batch, site, rendered, now, ports), refused }
}

/** Put a prepared batch on the CDN and make it true. Returns the releases as they ended. */
export async function carryOut(
  lease: Lease,
  { plan, listings, commit }: PreparedBatch,
  ports: PublishPorts,
  onUploaded: () => void = () => {},
): Promise<readonly Release[]> {
  const { projectId } = lease
  const isSealed = plan.uploads.some(({ keyId }) => keyId !== null)
  const sealing = isSealed ? await createSealing(projectId, ports) : sealingWithoutKeys(projectId)
  if (listings.pages.length > 0) await ports.ledger.claimListings(lease, listings.claimer, listings.pages)
  // Not beside the upload: were it to fail, a release that has failed would go on writing.
  const kept = await sealing.keep(plan.uploads)
  await deploy(plan, projectId, ports.storage, sealing.encodeUpload)
  onUploaded()
  return ports.ledger.commit(lease, { ...commit, kept })
}

/** Pages that are asked for at once: enough that none who renders ever waits, and few beside a large site. */
const MOST_ASKED = 256

async function attemptRender(
  page: PageToRender,
  site: SiteAfter,
  ports: PreparePorts,
): Promise<RenderedRelease | Failed> {
  try {
    const live = site.inContext(page)
    const made = (await restoredPage(page, ports)) ?? {
      rendered: await ports.renderer.renderPage(live),
      digests: liveDigests(live, ports.renderer),
    }
    const { claimed, facts, card, placed } = page
    const { rendered, digests } = made
    const more = redirectWarnings(page)
    const whole = more.length === 0 ? rendered : { ...rendered, warnings: [...rendered.warnings, ...more] }
    const feed = await ports.renderer.feedEntry(live)
    return { claimed, facts, card, placed, rendered: whole, digests, feed }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { release: page.claimed.release, failure: { name: error.name, message: messageOf(error) } }
  }
}

/** A strict release goes live without a warning or not at all. */
function refusedForWarnings({ claimed: { release }, rendered: { warnings } }: RenderedRelease): Failed[] {
  if (!release.strict || warnings.length === 0) return []
  const named = warnings.map(({ at, message }) => (at === null ? message : `${at}: ${message}`))
  return [{ release, failure: { name: 'validation_error', message: named.join(' ') } }]
}

async function prepare(
  place: InProject,
  batch: readonly ClaimedRelease[],
  after: SiteAfter,
  rendered: readonly RenderedRelease[],
  now: string,
  ports: PreparePorts,
): Promise<PreparedBatch> {
  const { projectId } = place
  const asTheyLie = batch.some(isRetaken) ? unknownBytes : (objects: readonly LiveObject[]) => objects
  const owned = asTheyLie(
    await ports.ledger.objectsOfPages(
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
    return { page, lying, redirects: redirectsTo(page, lying, (path) => isTaken(path, page.facts.id)) }
  })
  const [changed, unchanged]: [Placed[], Placed[]] = [[], []]
  for (const one of placed) (hasChanged(one) ? changed : unchanged).push(one)
  const removed = batch.filter(({ release }) => !putsLive(release))

  const { cards, slots } = await giveSlots(
    place,
    changed.map(({ page: { card } }) => card),
    ports.ledger,
  )
  const pages = changed.map(({ page, redirects }) =>
    livePageRow({ ...page, card: cards.get(page.card.id) ?? page.card }, redirects.left, now),
  )
  const gone = removed.map(({ release }) => release.pageId)
  const touched = new Set<string>([...pages.map(({ pageId }) => pageId), ...gone])
  const own = changed.flatMap(({ page, redirects }) => [...page.rendered.artifacts, ...redirects.artifacts])
  const change: IndexChange = {
    pages,
    gone,
    touched,
    confirmed: new Set(unchanged.map(({ page }) => page.facts.id)),
    cards: pages.map(({ card }) => card).filter(({ type }) => type === 'article'),
    slots,
    owned,
    claimed: await ports.ledger.claimedBy(batch.map(({ release }) => release.id)),
    written: new Set([...own, ...unchanged.flatMap(({ page }) => page.rendered.artifacts)].map(keyOf)),
  }
  const stamps = new Map<string, Stamp>(
    pages.map(({ pageId, releaseId }) => [pageId, { releaseId, publishedAt: now }]),
  )
  const stamp: Stamp = { releaseId: newest(batch).id, publishedAt: now }
  const writing: Writing = { keyId: site.keyId, stampOf: ({ owner }) => stamps.get(owner.id) ?? stamp }
  const lies = ({ artifacts, lying, strays }: Indexes) =>
    changesNothing(plan(artifacts, asTheyLie(lying), writing)) && strays.length === 0
  const indexes = await indexesAfter(place, after, change, lies, ports)

  const artifacts = [...own, ...indexes.artifacts]
  const going = new Set<string>(gone)
  const replaced = owned.filter(
    (object) => touched.has(object.owner.id) && (going.has(object.owner.id) || !isFrozen(object, site)),
  )
  const made = plan(artifacts, [...replaced, ...asTheyLie(indexes.lying)], writing)

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
      gone,
      slots,
      uploads: made.uploads,
      deletes: deletes.map(keyOf),
      site: indexes.site,
      searchGone: indexes.searchGone,
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
  const stampOf: Writing['stampOf'] = () => live
  return !changesNothing(plan([...own, ...redirects.artifacts], replaced, { keyId: site.keyId, stampOf }))
}

function changesNothing({ uploads, deletes }: Plan): boolean {
  return uploads.length + deletes.length === 0
}

/** What was sealed stays for its readers when Data Mode is off, until the page goes or is sealed again. */
function isFrozen({ keyId }: LiveObject, site: SiteIdentity): boolean {
  return keyId !== null && site.keyId === null
}

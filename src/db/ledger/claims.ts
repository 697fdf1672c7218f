import type { Knex } from 'knex'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import { listFault } from '../../domain/listing.ts'
import { snapshotPath } from '../../domain/live-page.ts'
import { MAX_FORMER_PATHS, redirectKey } from '../../domain/redirect-path.ts'
import {
  type AnyRelease,
  isDataModeRelease,
  isPageRelease,
  PUTTING_BACK,
  putsLive,
  type RedirectRelease,
  type Release,
  type ReleaseFailure,
  type ReleaseOutcome,
} from '../../domain/release.ts'
import { pathFault } from '../../domain/route.ts'
import type { ClaimedRelease, LiveVersion } from '../../publish/decide/claimed-release.ts'
import { leavingPages, mayExchange } from '../../publish/decide/exchanges.ts'
import type { Lease } from '../../publish/ledger/leases.ts'
import type { ClaimCheck, ClaimPorts, ClaimResult, Failed } from '../../publish/ledger/release-queue.ts'
import { recordReleases } from '../audit.ts'
import { jsonText } from '../dialect.ts'
import type { ReleaseRow } from '../release-rows.ts'
import type { EventPorts } from '../repositories/webhooks.ts'
import { inMode, isKeyLost, modeOf } from './content-keys.ts'
import { claimChange } from './data-mode-changes.ts'
import { type KnownFeedIds, siteFeedId, storeFeedIds, withFeedIds } from './feed-ids.ts'
import {
  endFailed,
  endLive,
  endRefused,
  enqueueReleaseEvents,
  freeClaims,
  revertFailed,
} from './finish-releases.ts'
import {
  checkKeys,
  checkRedirects,
  claimKeys,
  claimRedirects,
  type KeyConflict,
  markClaimed,
  vacatedKeys,
} from './object-keys.ts'
import { selectInChunks } from './objects.ts'
import { pagesAt } from './pages-at.ts'
import { redirectChangeFault } from './redirect-rows.ts'
import { cancelSchedules } from './schedules.ts'

/**
 * Decides waiting releases one after the other, inside a transaction under the project's lease: claims the keys of
 * those to be published, refuses those that cannot be, and ends those without anything to do. A Data Mode change is
 * claimed alone, and so is a change of redirects.
 *
 * @param ports.isAwaited the deploy of awaited releases starts with their claim, which saves a transaction.
 */
export async function claimReleases(
  trx: Knex,
  lease: Lease,
  waiting: readonly AnyRelease[],
  ports: ClaimPorts & { readonly isAwaited: boolean },
  events: EventPorts,
): Promise<Omit<ClaimResult, 'isAwaited'>> {
  const { now } = events
  const [first] = waiting
  if (first === undefined) return { releases: [], change: null, redirects: null, ended: [] }
  if (isDataModeRelease(first)) return claimChange(trx, lease, first, ports, now)
  if (first.op === 'redirects') return claimRedirectChange(trx, lease, first, now)

  const together = untilRepeat(waiting)
  const mode = await modeOf(trx, lease.projectId, ports.keyIdOf)
  const isLost = await isKeyLost(trx, lease.projectId)
  const states = await pageStates(trx, together)
  const formers = await formersOf(
    trx,
    together.filter(putsLive).map(({ pageId }) => pageId),
  )
  const newestLive = await newestSettings(trx, lease.projectId)
  const known = await knownFeedIds(trx, lease.projectId, states)
  const releases = together.map((release) => withFeedIds(inMode(release, mode), known, now))
  const exchange = await exchangeOf(trx, lease.projectId, releases, states, ports)
  const claimed: ClaimedRelease[] = []
  const ended: Release[] = []
  for (const release of releases) {
    const state = states.get(release.pageId)
    const live = liveRow(state)
    const isOvertaken = release.seq < newestLive
    const found = {
      release,
      live,
      firstPublishedAt: state?.first_published_at ?? null,
      isOvertaken,
      // Its text was published then.
      ...(release.op === 'refresh' && live !== null && { publishedAt: live.publishedAt }),
    }
    if (state === undefined) {
      ended.push(await endRefused(trx, { release, failure: GONE }, events))
    } else if (isLost && putsLive(release)) {
      ended.push(await endRefused(trx, { release, failure: KEY_LOST }, events))
    } else if (putsLive(release)) {
      const path = snapshotPath(release.snapshot)
      const fault = addressFault(release.snapshot)
      if (fault !== null) {
        ended.push(await refuse(trx, { release, failure: pathTooLong(fault) }, events))
        continue
      }
      const former = formerPathsOf(formers.get(release.pageId) ?? [], live, path)
      if (former.length > MAX_FORMER_PATHS) {
        ended.push(await refuse(trx, { release, failure: TOO_MANY_ADDRESSES }, events))
        continue
      }
      const occupant = otherAt(exchange.occupants, release, path)
      const vacated = occupant !== null && mayExchange(release) ? exchange.vacated.get(occupant) : undefined
      const replaces = vacated === undefined ? null : occupant
      const atPath = claimedAt(claimed, path) ?? (replaces === null ? occupant : null)
      const { file, conflict } =
        atPath === null
          ? await claimKeys(trx, release, release, ports.keysOf(release), vacated)
          : { file: null, conflict: { owner: atPath, key: path } }
      if (conflict === null) claimed.push({ ...found, file, redirectFrom: [], formerPaths: former, replaces })
      // The other page may move away in this batch: leave the decision to the next batch.
      else if (claimed.some(({ release: { pageId } }) => pageId === conflict.owner)) break
      else ended.push(await refuse(trx, { release, failure: pathTaken(conflict) }, events))
    } else if (live !== null || release.redirects !== undefined) {
      const fault =
        release.redirects === undefined
          ? null
          : await redirectChangeFault(trx, lease.projectId, release.redirects)
      if (fault !== null) {
        ended.push(await refuse(trx, { release, failure: fault }, events))
        continue
      }
      claimed.push({ ...found, file: '', redirectFrom: [], formerPaths: [], replaces: null })
    } else if (release.op === 'delete-page' || release.lenient) {
      await recordReleases(trx, [release.id], now)
      ended.push(await endLive(trx, release, nothingLive(release), { digests: null, snapshot: null }, now))
    } else {
      ended.push(await endRefused(trx, { release, failure: NOT_PUBLISHED }, events))
    }
  }
  for (let lost = findStranded(claimed); lost !== undefined; lost = findStranded(claimed)) {
    const { release, replaces } = lost
    claimed.splice(claimed.indexOf(lost), 1)
    const isRefused = replaces !== null && ended.some(({ pageId }) => pageId === replaces)
    const failure = pathTaken({ owner: replaces ?? '', key: snapshotPath(release.snapshot) })
    if (isRefused) ended.push(await refuse(trx, { release, failure }, events))
    // The other page is left to the next batch, and so is this one. An interrupted attempt keeps its claims, because
    // it may have written files.
    else if (release.state === 'queued') await freeClaims(trx, lease.projectId, [release.id])
  }
  const done = ended.filter(({ state }) => state === 'live')
  if (done.length > 0)
    await freeClaims(
      trx,
      lease.projectId,
      done.map(({ id }) => id),
    )
  await cancelSchedules(trx, done, now)
  await enqueueReleaseEvents(trx, lease.projectId, done, events)
  await storeFeedIds(
    trx,
    claimed.map(({ release }) => release),
    known,
  )
  await markClaimed(
    trx,
    lease,
    claimed.map(({ release }) => release.id),
    { isDeploying: ports.isAwaited },
  )
  return { releases: await withRedirects(trx, claimed, ports), change: null, redirects: null, ended }
}

async function claimRedirectChange(
  trx: Knex,
  lease: Lease,
  release: RedirectRelease,
  now: string,
): Promise<Omit<ClaimResult, 'isAwaited'>> {
  const none = { releases: [], change: null, redirects: null }
  // An interrupted attempt was checked, and may have written files.
  const failure =
    release.state === 'claimed' ? null : await redirectChangeFault(trx, lease.projectId, release.change)
  if (failure !== null) return { ...none, ended: [await endFailed(trx, { release, failure }, now)] }
  await markClaimed(trx, lease, [release.id], { isDeploying: true })
  return { ...none, redirects: release, ended: [] }
}

/** Refuses a release. One that an interrupted attempt may have written files for is reverted first. */
function refuse(trx: Knex, refused: Failed, events: EventPorts): Promise<Release> {
  return refused.release.state === 'claimed'
    ? revertFailed(trx, refused, events)
    : endRefused(trx, refused, events)
}

/** How the pages of a batch exchange their addresses. */
interface Exchange {
  /** The live page at each path that the batch publishes to. */
  readonly occupants: ReadonlyMap<string, PageId>
  /** The pages that leave their path, with the keys that each gives up. */
  readonly vacated: ReadonlyMap<PageId, ReadonlySet<string>>
}

async function exchangeOf(
  trx: Knex,
  projectId: ProjectId,
  releases: readonly Release[],
  states: ReadonlyMap<PageId, PageState>,
  { keysOf }: Pick<ClaimPorts, 'keysOf'>,
): Promise<Exchange> {
  const publishes = releases.filter((release) => putsLive(release) && states.has(release.pageId))
  const moves = publishes.filter(mayExchange).map((release) => ({
    pageId: release.pageId,
    from: liveRow(states.get(release.pageId))?.facts.path ?? null,
    to: snapshotPath(release.snapshot),
  }))
  const occupants = await pagesAt(
    trx,
    projectId,
    publishes.map(({ snapshot }) => snapshotPath(snapshot)),
  )
  if (moves.every(({ pageId, to }) => (occupants.get(to) ?? pageId) === pageId))
    return { occupants, vacated: new Map() }
  const leaving = leavingPages(moves, occupants)
  const candidates = new Map(publishes.map((release) => [release.pageId, new Set(keysOf(release).flat())]))
  const vacated = await vacatedKeys(trx, projectId, leaving, (pageId) => candidates.get(pageId) ?? new Set())
  return { occupants, vacated }
}

/** Another page that is live at the path. */
function otherAt(
  occupants: Exchange['occupants'],
  { pageId }: Pick<Release, 'pageId'>,
  path: string,
): PageId | null {
  const occupant = occupants.get(path) ?? pageId
  return occupant === pageId ? null : occupant
}

/** The page of the batch that is claimed for the path. */
function claimedAt(claimed: readonly ClaimedRelease[], path: string): PageId | null {
  const other = claimed.find(({ release }) => putsLive(release) && snapshotPath(release.snapshot) === path)
  return other?.release.pageId ?? null
}

/** A claimed release that takes the path of a page which does not move after all. */
function findStranded(claimed: readonly ClaimedRelease[]): ClaimedRelease | undefined {
  const moving = new Set(
    claimed.filter(({ release }) => putsLive(release)).map(({ release }) => release.pageId),
  )
  return claimed.find(({ replaces }) => replaces !== null && !moving.has(replaces))
}

/**
 * Claims redirects after all pages of the batch, because the path of a page takes precedence over a redirect, and former
 * paths after those that pages name.
 */
async function withRedirects(
  trx: Knex,
  claimed: readonly ClaimedRelease[],
  { redirectFrom: pathsOf }: ClaimPorts,
): Promise<readonly ClaimedRelease[]> {
  const claim = async (release: Release, paths: readonly string[], beforeLists: boolean) => {
    if (paths.length === 0) return paths
    const keys = await claimRedirects(trx, release, release, paths.map(redirectKey), beforeLists)
    return paths.filter((path) => keys.has(redirectKey(path)))
  }
  const named: ClaimedRelease[] = []
  for (const one of claimed) {
    const paths = putsLive(one.release) ? pathsOf(one.release) : []
    named.push({ ...one, redirectFrom: await claim(one.release, paths, true) })
  }
  const all: ClaimedRelease[] = []
  for (const one of named) {
    const stated = new Set(one.redirectFrom)
    const paths = redirectsAt(one.release) ? one.formerPaths.filter((path) => !stated.has(path)) : []
    all.push({ ...one, formerPaths: await claim(one.release, paths, false) })
  }
  return all
}

/** In Data Mode readers resolve paths themselves. */
function redirectsAt({ snapshot }: Release): boolean {
  return snapshot.site.hostingMode !== 'data_mode'
}

/** The paths of a page that goes live at a path, which redirect to it from there. */
function formerPathsOf(former: readonly string[], live: LiveVersion | null, path: string): readonly string[] {
  const all = live === null ? former : [live.facts.path, ...former]
  return [...new Set(all)].filter((one) => one !== path)
}

/** Paths at which these pages were live before, those first that were left last. */
async function formersOf(
  db: Knex,
  pages: readonly PageId[],
): Promise<ReadonlyMap<PageId, readonly string[]>> {
  const rows = await selectInChunks(pages, (chunk) =>
    db('former_addresses')
      .whereIn('page_id', chunk)
      .orderBy([{ column: 'left_at', order: 'desc' }, 'path'])
      .select<{ page_id: PageId; path: string }[]>('page_id', 'path'),
  )
  const found = new Map<PageId, string[]>()
  for (const { page_id: id, path } of rows) {
    const own = found.get(id)
    if (own === undefined) found.set(id, [path])
    else own.push(path)
  }
  return found
}

/** The result that `claimReleases` would have for the publish of one page. */
export async function checkClaim(
  db: Knex,
  given: Release,
  { keysOf, redirectFrom: pathsOf, keyIdOf }: Pick<ClaimPorts, 'keysOf' | 'redirectFrom' | 'keyIdOf'>,
  now: string,
): Promise<ClaimCheck> {
  if (await isKeyLost(db, given.projectId)) return { failure: KEY_LOST }
  const states = await pageStates(db, [given])
  const known = await knownFeedIds(db, given.projectId, states)
  const release = withFeedIds(inMode(given, await modeOf(db, given.projectId, keyIdOf)), known, now)
  const state = states.get(release.pageId)
  if (state === undefined) return { failure: GONE }
  const path = snapshotPath(release.snapshot)
  const fault = addressFault(release.snapshot)
  if (fault !== null) return { failure: pathTooLong(fault) }
  const owner = otherAt(await pagesAt(db, release.projectId, [path]), release, path)
  const { file, conflict } =
    owner === null
      ? await checkKeys(db, release, keysOf(release))
      : { file: null, conflict: { owner, key: path } }
  if (conflict !== null) return { failure: pathTaken(conflict) }
  const paths = pathsOf(release)
  const free = await checkRedirects(db, release, paths.map(redirectKey), true)
  const redirectFrom = paths.filter((path) => free.has(redirectKey(path)))
  const live = liveRow(state)
  const stated = new Set(redirectFrom)
  const former = formerPathsOf((await formersOf(db, [release.pageId])).get(release.pageId) ?? [], live, path)
  if (former.length > MAX_FORMER_PATHS) return { failure: TOO_MANY_ADDRESSES }
  const unnamed = redirectsAt(release) ? former.filter((one) => !stated.has(one)) : []
  const open = await checkRedirects(db, release, unnamed.map(redirectKey), false)
  const formerPaths = unnamed.filter((one) => open.has(redirectKey(one)))
  const firstPublishedAt = state.first_published_at
  return { claimable: { release, file, redirectFrom, formerPaths, replaces: null, live, firstPublishedAt } }
}

/** Position of the newest release whose settings the indexes have; 0 without one. */
async function newestSettings(trx: Knex, projectId: ProjectId): Promise<number> {
  const row = await trx<ReleaseRow>('releases')
    .where({ project_id: projectId, state: 'live' })
    .whereNotIn('op', [...PUTTING_BACK])
    // The removal of a page that was not live changed nothing.
    .where((effective) =>
      effective.whereNotIn('op', ['unpublish', 'delete-page']).orWhere('in_history', true),
    )
    .orderBy('seq', 'desc')
    .first('seq')
  return row?.seq ?? 0
}

interface PageState {
  readonly id: PageId
  readonly published_at: string | null
  readonly first_published_at: string | null
  readonly release_id: ReleaseId | null
  readonly facts: string | null
  readonly index_line: string | null
  readonly feed_id: string | null
  /** The id that feeds show of the live article. */
  readonly shown_id: string | null
}

const GONE: ReleaseFailure = { name: 'not_found', message: 'The page was deleted in the meantime.' }
const KEY_LOST: ReleaseFailure = {
  name: 'conflict',
  message:
    'The content key of this project was lost with the master key of the installation. Regenerate it first (POST /projects/:id/data-mode/regenerate-key); that encrypts every page with the new key.',
}
const TOO_MANY_ADDRESSES: ReleaseFailure = {
  name: 'conflict',
  message: `The page has been at ${MAX_FORMER_PATHS} other paths, and a page has no more redirects. Delete some of them first: GET /projects/:id/redirects?kind=former lists them, DELETE /projects/:id/redirects/:redirect_id deletes one.`,
}
const NOT_PUBLISHED: ReleaseFailure = { name: 'not_published', message: 'The page is not published.' }

function nothingLive({ id }: Release): ReleaseOutcome {
  return { publishedAt: null, url: null, releaseId: id, changed: false, warnings: [] }
}

function pathTooLong(message: string): ReleaseFailure {
  return { name: 'validation_error', message }
}

function pathTaken({ owner, key }: KeyConflict): ReleaseFailure {
  return {
    name: 'conflict',
    message: `Another published page (page_${owner}) is served at this path (${key}). Change one of the two; pages that exchange their addresses must be published together, in one bulk publish.`,
  }
}

/** Why no store can hold the page or one of its lists, of a tag or of its author; null if one can. */
function addressFault(snapshot: Release['snapshot']): string | null {
  const fault = pathFault(snapshotPath(snapshot))
  return fault ?? (snapshot.site.hostingMode === 'data_mode' ? null : (listFault(snapshot)?.message ?? null))
}

/** The longest prefix of page releases in which no page occurs twice. */
function untilRepeat(waiting: readonly AnyRelease[]): readonly Release[] {
  const seen = new Set<PageId>()
  const end = waiting.findIndex(
    (release) => !isPageRelease(release) || seen.has(release.pageId) || !seen.add(release.pageId),
  )
  return (end === -1 ? waiting : waiting.slice(0, end)).filter(isPageRelease)
}

async function pageStates(trx: Knex, releases: readonly Release[]): Promise<ReadonlyMap<PageId, PageState>> {
  const rows = await trx<PageState>('pages')
    .leftJoin('live_pages', 'live_pages.page_id', 'pages.id')
    .whereIn(
      'pages.id',
      releases.map(({ pageId }) => pageId),
    )
    .select<PageState[]>(
      'pages.id',
      'pages.published_at',
      'pages.first_published_at',
      'live_pages.release_id',
      'live_pages.facts',
      'live_pages.index_line',
      'pages.feed_id',
      trx.raw(`${jsonText(trx, 'live_pages.card', 'feedId')} AS shown_id`),
    )
  return new Map(rows.map((row) => [row.id, row]))
}

function liveRow(state: PageState | undefined): LiveVersion | null {
  if (state === undefined) return null
  const { release_id: releaseId, published_at: publishedAt, facts, index_line: line } = state
  if (releaseId === null || publishedAt === null || facts === null) return null
  if (line === null) return null
  const feedId = state.shown_id ?? state.feed_id
  return { releaseId, publishedAt, facts: JSON.parse(facts), line, feedId }
}

async function knownFeedIds(
  db: Knex,
  projectId: ProjectId,
  states: ReadonlyMap<PageId, PageState>,
): Promise<KnownFeedIds> {
  const pages = new Map([...states].map(([id, state]) => [id, state.feed_id]))
  return { site: await siteFeedId(db, projectId), pages }
}

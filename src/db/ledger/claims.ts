import type { Knex } from 'knex'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import { redirectKey } from '../../domain/redirect-path.ts'
import {
  type AnyRelease,
  isDataModeRelease,
  isPageRelease,
  putsLive,
  type Release,
  type ReleaseFailure,
  type ReleaseOutcome,
} from '../../domain/release.ts'
import { publicPath } from '../../domain/route.ts'
import type { Lease } from '../../publish/ledger/leases.ts'
import type {
  ClaimCheck,
  ClaimedRelease,
  ClaimPorts,
  ClaimResult,
  LiveVersion,
} from '../../publish/ledger/release-queue.ts'
import type { ReleaseRow } from '../releases.ts'
import type { EventPorts } from '../repositories.ts'
import { inMode, isKeyLost, modeOf } from './content-keys.ts'
import { claimChange } from './data-mode-changes.ts'
import { endLive, endRefused, enqueueReleaseEvents, freeClaims } from './finish-releases.ts'
import {
  checkKeys,
  checkRedirects,
  claimKeys,
  claimRedirects,
  type KeyConflict,
  markClaimed,
} from './object-keys.ts'
import { cancelSchedules } from './schedules.ts'

/**
 * Decides waiting releases one after the other, inside a transaction under the project's lease: claims the keys of
 * those to be published, refuses those that cannot be, and ends those without anything to do. A Data Mode change is
 * claimed alone.
 */
export async function claimReleases(
  trx: Knex,
  lease: Lease,
  waiting: readonly AnyRelease[],
  ports: ClaimPorts,
  events: EventPorts,
): Promise<Omit<ClaimResult, 'isAwaited'>> {
  const { now } = events
  const [first] = waiting
  if (first === undefined) return { releases: [], change: null, ended: [] }
  if (isDataModeRelease(first)) return claimChange(trx, lease, first, ports, now)

  const together = untilRepeat(waiting)
  const [mode, isLost, states, newestLive] = await Promise.all([
    modeOf(trx, lease.projectId, ports.keyIdOf),
    isKeyLost(trx, lease.projectId),
    pageStates(trx, together),
    newestSettings(trx, lease.projectId),
  ])
  const releases = together.map((release) => inMode(release, mode))
  const claimed: ClaimedRelease[] = []
  const ended: Release[] = []
  for (const release of releases) {
    const state = states.get(release.pageId)
    const live = liveRow(state)
    const isOvertaken = release.seq < newestLive
    const known = { release, live, firstPublishedAt: state?.first_published_at ?? null, isOvertaken }
    if (state === undefined) {
      ended.push(await endRefused(trx, { release, failure: GONE }, events))
    } else if (isLost && putsLive(release)) {
      ended.push(await endRefused(trx, { release, failure: KEY_LOST }, events))
    } else if (putsLive(release)) {
      const atPath = await pageAtPath(trx, release, claimed)
      const { file, conflict } =
        atPath === null
          ? await claimKeys(trx, release, release, ports.keysOf(release))
          : { file: null, conflict: atPath }
      if (conflict === null) claimed.push({ ...known, file, redirectFrom: [] })
      // The other page may move away in this batch: leave the decision to the next batch.
      else if (claimed.some(({ release: { pageId } }) => pageId === conflict.owner)) break
      else ended.push(await endRefused(trx, { release, failure: pathTaken(conflict) }, events))
    } else if (live !== null) {
      claimed.push({ ...known, file: '', redirectFrom: [] })
    } else if (release.op === 'delete-page' || release.lenient) {
      ended.push(await endLive(trx, release, nothingLive(release), null, now))
    } else {
      ended.push(await endRefused(trx, { release, failure: NOT_PUBLISHED }, events))
    }
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
  await markClaimed(
    trx,
    lease,
    claimed.map(({ release }) => release.id),
  )
  return { releases: await withRedirects(trx, claimed, ports), change: null, ended }
}

/** Claims redirects after all pages of the batch, because the path of a page takes precedence over a redirect. */
async function withRedirects(
  trx: Knex,
  claimed: readonly ClaimedRelease[],
  { redirectFrom: pathsOf }: ClaimPorts,
): Promise<readonly ClaimedRelease[]> {
  const all: ClaimedRelease[] = []
  for (const one of claimed) {
    const paths = putsLive(one.release) ? pathsOf(one.release) : []
    const keys =
      paths.length === 0 ? null : await claimRedirects(trx, one.release, one.release, paths.map(redirectKey))
    all.push(
      keys === null ? one : { ...one, redirectFrom: paths.filter((path) => keys.has(redirectKey(path))) },
    )
  }
  return all
}

/** The result that `claimReleases` would have for the publish of one page. */
export async function checkClaim(
  db: Knex,
  given: Release,
  { keysOf, redirectFrom: pathsOf, keyIdOf }: Pick<ClaimPorts, 'keysOf' | 'redirectFrom' | 'keyIdOf'>,
): Promise<ClaimCheck> {
  const release = inMode(given, await modeOf(db, given.projectId, keyIdOf))
  if (await isKeyLost(db, given.projectId)) return { failure: KEY_LOST }
  const state = (await pageStates(db, [release])).get(release.pageId)
  if (state === undefined) return { failure: GONE }
  const atPath = await pageAtPath(db, release, [])
  const { file, conflict } =
    atPath === null ? await checkKeys(db, release, keysOf(release)) : { file: null, conflict: atPath }
  if (conflict !== null) return { failure: pathTaken(conflict) }
  const paths = pathsOf(release)
  const free = await checkRedirects(db, release, paths.map(redirectKey))
  const redirectFrom = paths.filter((path) => free.has(redirectKey(path)))
  const live = liveRow(state)
  return { claimable: { release, file, redirectFrom, live, firstPublishedAt: state.first_published_at } }
}

/** Position of the newest release whose settings the indexes have; 0 without one. */
async function newestSettings(trx: Knex, projectId: ProjectId): Promise<number> {
  const row = await trx<ReleaseRow>('releases')
    .where({ project_id: projectId, state: 'live' })
    .whereNot({ op: 'rollback' })
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
  readonly redirects: string | null
}

const GONE: ReleaseFailure = { name: 'not_found', message: 'The page was deleted in the meantime.' }
const KEY_LOST: ReleaseFailure = {
  name: 'conflict',
  message:
    'The content key of this project was lost with the master key of the installation. Regenerate it first (POST /projects/:id/data-mode/regenerate-key); that encrypts every page with the new key.',
}
const NOT_PUBLISHED: ReleaseFailure = { name: 'not_published', message: 'The page is not published.' }

function nothingLive({ id }: Release): ReleaseOutcome {
  return { publishedAt: null, url: null, releaseId: id, changed: false, warnings: [] }
}

function pathTaken({ owner, key }: KeyConflict): ReleaseFailure {
  return {
    name: 'conflict',
    message: `Another published page (page_${owner}) is served at this path (${key}). Change one of the two.`,
  }
}

/** Another page that is live at this page's path, or claimed for it. The keys of sealed files do not depend on the path. */
async function pageAtPath(
  trx: Knex,
  { projectId, pageId, snapshot }: Release,
  claimed: readonly ClaimedRelease[],
): Promise<KeyConflict | null> {
  const path = pathOf(snapshot)
  const other = claimed.find(({ release: { op, snapshot } }) => putsLive({ op }) && pathOf(snapshot) === path)
  if (other !== undefined) return { owner: other.release.pageId, key: path }
  const row = await trx('live_pages')
    .where({ project_id: projectId, path })
    .whereNot({ page_id: pageId })
    .first('page_id')
  return row === undefined ? null : { owner: row.page_id, key: path }
}

function pathOf({ page, settings }: Release['snapshot']): string {
  return publicPath(page, settings.siteRoutes)
}

/** The longest prefix of page releases in which no page occurs twice. */
function untilRepeat(waiting: readonly AnyRelease[]): readonly Release[] {
  const seen = new Set<PageId>()
  const end = waiting.findIndex(
    (release) => isDataModeRelease(release) || seen.has(release.pageId) || !seen.add(release.pageId),
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
      'live_pages.redirects',
    )
  return new Map(rows.map((row) => [row.id, row]))
}

function liveRow(state: PageState | undefined): LiveVersion | null {
  if (state === undefined) return null
  const { release_id: releaseId, published_at: publishedAt, facts, index_line: line, redirects } = state
  if (releaseId === null || publishedAt === null || facts === null) return null
  if (line === null || redirects === null) return null
  return { releaseId, publishedAt, facts: JSON.parse(facts), line, redirects: JSON.parse(redirects) }
}

import type { Knex } from 'knex'
import type { PageId, ReleaseId } from '../../domain/ids.ts'
import { putsLive, type Release, type ReleaseFailure, type ReleaseOutcome } from '../../domain/release.ts'
import type {
  Claimed,
  ClaimedRelease,
  Lease,
  LiveObject,
  LivePageRow,
  Standing,
} from '../../publish/ledger.ts'
import { rowsOf } from '../pages.ts'
import { endLive, endRefused, freeClaims } from './endings.ts'
import { type ObjectRow, toObject } from './objects.ts'
import { cancelSchedules } from './schedules.ts'

/**
 * Decide waiting releases one after the other, within the transaction of their project's leader:
 * claim the keys of what is to be published, refuse what cannot be, end what there is nothing to do for.
 *
 * @param keysOf every key the release's page will own once it is live.
 */
export async function claimReleases(
  trx: Knex,
  lease: Lease,
  waiting: readonly Release[],
  keysOf: (release: Release) => readonly string[],
  now: string,
): Promise<Claimed> {
  const releases = untilRepeat(waiting)
  const states = await pageStates(trx, releases)
  const claimed: ClaimedRelease[] = []
  const ended: Release[] = []
  for (const release of releases) {
    const state = states.get(release.pageId)
    const live = liveRow(state)
    const firstPublishedAt = state?.first_published_at ?? null
    if (state === undefined) {
      ended.push(await endRefused(trx, { release, failure: GONE }, now))
    } else if (putsLive(release)) {
      const taken = await claimKeys(trx, release, keysOf(release))
      if (taken === null) claimed.push({ release, live, firstPublishedAt })
      // The page in the way may be moving away in this very batch: the next one will see.
      else if (claimed.some(({ release: { pageId } }) => pageId === taken.owner.id)) break
      else ended.push(await endRefused(trx, { release, failure: pathTaken(taken) }, now))
    } else if (live !== null) {
      claimed.push({ release, live, firstPublishedAt })
    } else if (release.op === 'delete-page' || release.lenient) {
      ended.push(await endLive(trx, release, nothingLive(release), now))
    } else {
      ended.push(await endRefused(trx, { release, failure: NOT_PUBLISHED }, now))
    }
  }
  await cancelSchedules(
    trx,
    ended.filter(({ state }) => state === 'live'),
    now,
  )
  await trx('releases')
    .whereIn(
      'id',
      claimed.map(({ release }) => release.id),
    )
    .update({ state: 'claimed', fence: lease.fence, attempts: trx.raw('attempts + 1') })
  return { releases: claimed, ended }
}

/** What `claimReleases` would find for the publish of one page. */
export async function standingOf(db: Knex, release: Release, keys: readonly string[]): Promise<Standing> {
  const state = (await pageStates(db, [release])).get(release.pageId)
  if (state === undefined) return { failure: GONE }
  const rows = await db<ObjectRow>('live_objects')
    .where({ project_id: release.projectId, owner_kind: 'page' })
    .whereIn('key', [...keys])
    .whereNot('owner_id', release.pageId)
  const [taken] = rows.map(toObject)
  if (taken !== undefined) return { failure: pathTaken(taken) }
  return { claimable: { live: liveRow(state), firstPublishedAt: state.first_published_at } }
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
const NOT_PUBLISHED: ReleaseFailure = { name: 'not_published', message: 'The page is not published.' }

function nothingLive({ id }: Release): ReleaseOutcome {
  return { publishedAt: null, url: null, releaseId: id, changed: false, warnings: [] }
}

function pathTaken({ key, owner }: LiveObject): ReleaseFailure {
  return {
    name: 'conflict',
    message: `Another published page (page_${owner.id}) is served at this path (${key}). Change one of the two.`,
  }
}

/** The longest prefix in which no page occurs twice. */
function untilRepeat(releases: readonly Release[]): readonly Release[] {
  const seen = new Set<PageId>()
  const repeat = releases.findIndex(({ pageId }) => seen.has(pageId) || !seen.add(pageId))
  return repeat === -1 ? releases : releases.slice(0, repeat)
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

function liveRow(state: PageState | undefined): LivePageRow | null {
  if (state === undefined) return null
  const { release_id: releaseId, published_at: publishedAt, facts, index_line: line, redirects } = state
  if (releaseId === null || publishedAt === null || facts === null) return null
  if (line === null || redirects === null) return null
  return { releaseId, publishedAt, facts: JSON.parse(facts), line, redirects: JSON.parse(redirects) }
}

/** The object of another page that stands in the way, or null when every key is claimed. */
async function claimKeys(trx: Knex, release: Release, keys: readonly string[]): Promise<LiveObject | null> {
  for (const key of keys) {
    const claimed = rowsOf(
      await trx.raw(
        `INSERT INTO live_objects (project_id, key, owner_kind, owner_id, claimed_by) VALUES (?, ?, 'page', ?, ?)
         ON CONFLICT (project_id, key) DO UPDATE SET claimed_by = excluded.claimed_by
         WHERE (live_objects.owner_kind = 'page' AND live_objects.owner_id = excluded.owner_id)
            OR (live_objects.owner_kind <> 'page'
                AND (live_objects.claimed_by IS NULL OR live_objects.claimed_by = excluded.claimed_by))
         RETURNING key`,
        [release.projectId, key, release.pageId, release.id],
      ),
    )
    if (claimed.length > 0) continue
    await freeClaims(trx, [release.id])
    const row = await trx('live_objects').where({ project_id: release.projectId, key }).first<ObjectRow>()
    return toObject(row)
  }
  return null
}

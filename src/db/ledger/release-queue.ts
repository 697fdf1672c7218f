import type { Knex } from 'knex'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import { WHOLE_SITE } from '../../domain/job.ts'
import { type AnyRelease, putsLive, type ReleaseState, UNFINISHED } from '../../domain/release.ts'
import { endedBeforeDeploy, failed, statesBefore, wentLive } from '../../publish/decide/endings.ts'
import { awaitedOf, nextInLine, type WaitingRelease } from '../../publish/decide/next-in-line.ts'
import type { Commit, ReleaseQueue } from '../../publish/ledger/release-queue.ts'
import { recordReleases } from '../audit.ts'
import type { Connections } from '../connections.ts'
import { type ReleaseRow, selectReleases, snapshotText, toRelease, toStatus } from '../release-rows.ts'
import { compressSnapshot } from '../snapshot-text.ts'
import { changedKeys, purgeCached } from './changed-objects.ts'
import { checkClaim, claimReleases } from './claims.ts'
import { dropKey } from './content-keys.ts'
import { continueInBackground, isDeployingInBackground } from './continued-releases.ts'
import { liveReleases } from './data-mode-changes.ts'
import { withPartners } from './exchange-partners.ts'
import {
  enqueueReleaseEvents,
  freeClaims,
  writeEnding,
  writeLive,
  writeModeChange,
} from './finish-releases.ts'
import { checkDeletedProject } from './late-writes.ts'
import type { LeaseTransaction, LedgerPorts } from './leases.ts'
import { writeSlots } from './listings.ts'
import { writeClaims } from './object-keys.ts'
import {
  deleteObjects,
  inChunks,
  renameReleaseObjects,
  selectInChunks,
  writeKeyIds,
  writeLines,
  writeLivePages,
  writeLiveSite,
  writeObjects,
  writeResealedPages,
} from './objects.ts'
import {
  writeFormerAddresses,
  writeNoneLive,
  writeRedirectChange,
  writeRedirectStates,
} from './redirect-rows.ts'
import { cancelSchedules } from './schedules.ts'
import { dropSearchBase, updateSearch, writeSearchEntries } from './search-rows.ts'
import { writeArtifacts } from './stored-artifacts.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Tables with rows of a project, ordered so that no foreign key dangles while they are deleted. */
const PROJECT_TABLES = [
  // First, so that deleting the others counts nothing.
  'project_usage',
  'cache_purges',
  'jobs',
  'deliveries',
  'webhooks',
  'sources',
  'push_conflicts',
  'pushes',
  'pages',
  'search_entries',
  'search_bases',
  'live_pages',
  'live_objects',
  'artifacts',
  'content_keys',
  'live_sites',
  'listing_slots',
  'redirects',
  'former_addresses',
  'release_objects',
  'releases',
  'settings_snapshots',
  'media_pins',
]

export function createReleaseQueue(
  { reader, transact }: Connections,
  underLease: LeaseTransaction,
  ports: LedgerPorts,
): ReleaseQueue {
  const { now, newId } = ports
  const eventPorts = () => ({ newId, now: now() })
  const yesterday = () => new Date(Date.parse(now()) - DAY_MS).toISOString()

  return {
    async findStatus(id) {
      const row = await reader<ReleaseRow>('releases')
        .where({ id })
        .first(...STATUS_COLUMNS)
      return row === undefined ? null : toStatus(row)
    },

    async unfinishedProjects() {
      return reader('releases')
        .whereIn('state', UNFINISHED)
        .groupBy('project_id')
        .orderByRaw('min(seq)')
        .pluck('project_id')
    },

    unfinishedStates: (projectId) =>
      reader('releases')
        .where({ project_id: projectId })
        .whereIn('state', UNFINISHED)
        .distinct()
        .pluck('state'),

    async listStarted(projectId) {
      return reader('releases')
        .where({ project_id: projectId })
        .whereIn('state', ['claimed', 'reverting'])
        .orderBy('seq')
        .pluck('id')
    },

    async claim(lease, limits, claimPorts) {
      const states = limits.isRecovery ? LEFT : WAITING
      for (;;) {
        // Read before the transaction: all other writes would wait while large snapshots are parsed.
        const waiting = await waitingReleases(reader, lease.projectId, states)
        const next = nextInLine(waiting, limits)
        const isAwaited = awaitedOf(next).length > 0
        const releases = await withPartners(reader, lease.projectId, next, waiting)
        const claimed = await underLease(lease, async (trx) => {
          const left = await stillWaiting(trx, releases)
          if (left.length === 0 && releases.length > 0) return null
          return claimReleases(trx, lease, left, { ...claimPorts, isAwaited }, eventPorts())
        })
        if (claimed !== null) return { ...claimed, isAwaited }
      }
    },

    async hasAwaited(projectId) {
      return (
        nextInLine(await waitingReleases(reader, projectId, WAITING), { awaited: 1, background: 0 }).length >
        0
      )
    },

    async startDeploy(lease, releases) {
      return underLease(lease, async (trx) => {
        const states = await selectInChunks(releases, (ids) =>
          trx<ReleaseRow>('releases').whereIn('id', ids).pluck('state'),
        )
        if (states.some((state) => state !== 'claimed')) return false
        await inChunks(releases, (ids) => trx('releases').whereIn('id', ids).update({ is_deploying: true }))
        return true
      })
    },

    async withdrawn(releases) {
      const rows = await selectInChunks(releases, (ids) =>
        reader<ReleaseRow>('releases')
          .whereIn('id', ids)
          .where({ state: 'failed' })
          .select(...STATUS_COLUMNS),
      )
      return rows.map(toStatus)
    },

    checkClaim: (release, claimPorts) => checkClaim(reader, release, claimPorts, now()),

    async claimFiles(lease, claimer, files) {
      const claims = files.map((file) => ({ ...file, claimedBy: claimer }))
      await underLease(lease, (trx) => writeClaims(trx, lease.projectId, claims))
    },

    async expire(id, failure) {
      return transact(async (trx) => {
        const row = await selectReleases(trx)
          .where('releases.id', id)
          .whereIn('releases.state', [...WAITING])
          .first()
        if (row === undefined) return null
        if (row.deadline_at === null) return 'continues'
        if (row.state !== 'queued') return null
        // No job could follow a change of redirects, and nothing of it is written yet.
        if (row.op === 'redirects' || !(await isDeployingInBackground(trx, row.project_id)))
          return writeEnding(trx, failed({ release: toRelease(row), failure }, now()), eventPorts())
        await continueInBackground(trx, [id], now())
        return 'continues'
      })
    },

    async continueInBackground(lease, releases) {
      const run = (trx: Knex) => continueInBackground(trx, releases, now())
      await (lease === null ? transact(run) : underLease(lease, run))
    },

    async refuseAll(lease, failure) {
      return underLease(lease, async (trx) => {
        const queued = await selectReleases(trx)
          .where('releases.project_id', lease.projectId)
          .where('releases.state', 'queued')
        return mapInOrder(queued, (row) =>
          writeEnding(trx, failed({ release: toRelease(row), failure }, now()), eventPorts()),
        )
      })
    },

    async fail(lease, all) {
      return underLease(lease, async (trx) => {
        const left = new Set(
          await stillWaiting(
            trx,
            all.map(({ release }) => release),
          ),
        )
        return mapInOrder(
          all.filter(({ release }) => left.has(release)),
          (one) => writeEnding(trx, endedBeforeDeploy(one, now()), eventPorts()),
        )
      })
    },

    async commit(lease, commit) {
      const { projectId } = lease
      const events = eventPorts()
      const snapshots = new Map(
        await Promise.all(
          commit.live.map(
            async ({ release: { id, snapshot } }) =>
              [id, await compressSnapshot(reader, snapshotText(snapshot))] as const,
          ),
        ),
      )
      const { ended, hasDeliveries } = await underLease(lease, async (trx) => {
        await recordReleases(trx, changesOf(commit), events.now)
        await writeDeployed(trx, projectId, commit)
        await writeFormerAddresses(trx, projectId, commit.left, events)
        await writeLivePages(trx, projectId, commit)
        await writeSlots(trx, projectId, commit.slots)
        await writeLiveSite(trx, projectId, commit.site)
        await updateSearch(trx, projectId, commit, ports)
        for (const { release } of commit.live)
          await writeRedirectChange(trx, release, release.redirects, events)
        await writeRedirectStates(trx, commit.redirects)
        await purgeCached(trx, projectId, changedKeys(commit), ports)
        const releases = commit.live.map(({ release }) => release)
        await cancelSchedules(trx, releases, events.now)
        await freeClaims(
          trx,
          projectId,
          releases.map(({ id }) => id),
        )
        const digestsOf = new Map(commit.pages.map(({ releaseId, digests }) => [releaseId, digests]))
        const ended = await mapInOrder(commit.live, ({ release, outcome }) =>
          writeLive(
            trx,
            wentLive(release, outcome, events.now),
            {
              digests: digestsOf.get(release.id) ?? null,
              snapshot: snapshots.get(release.id) ?? null,
            },
            events,
          ),
        )
        return { ended, hasDeliveries: await enqueueReleaseEvents(trx, projectId, ended, events) }
      })
      if (hasDeliveries) ports.onDeliveries?.()
      ports.onCachePurge?.()
      return ended
    },

    liveReleases: (change, pages) => liveReleases(reader, change, pages),

    async commitDataMode(lease, { release, site, pages, resealed, renamed, lines, ...deployed }) {
      const { projectId } = lease
      const changed = [...changedKeys(deployed), ...resealed]
      const ended = await underLease(lease, async (trx) => {
        await purgeCached(trx, projectId, changed, ports)
        await writeDeployed(trx, projectId, { ...deployed, artifacts: [] })
        await writeKeyIds(trx, projectId, resealed, site.site.keyId)
        await renameReleaseObjects(trx, projectId, renamed)
        await writeLines(trx, lines)
        await writeResealedPages(trx, projectId, pages)
        await writeSearchEntries(trx, projectId, { pages, removed: [] })
        await writeLiveSite(trx, projectId, site)
        if (release.op === 'rekey') {
          await dropSearchBase(trx, projectId)
          await writeNoneLive(trx, projectId)
        }
        return writeModeChange(trx, release, eventPorts())
      })
      ports.onCachePurge?.()
      return ended
    },

    async commitRedirects(lease, { release, ...commit }) {
      const { projectId } = lease
      const events = eventPorts()
      const ended = await underLease(lease, async (trx) => {
        await writeDeployed(trx, projectId, commit)
        await writeRedirectChange(trx, release, release.change, events)
        await writeRedirectStates(trx, commit.redirects)
        await purgeCached(trx, projectId, changedKeys(commit), ports)
        await freeClaims(trx, projectId, [release.id])
        return writeEnding(trx, wentLive(release, null, events.now), events)
      })
      ports.onCachePurge?.()
      return ended
    },

    async startReverting(lease, releases, failure) {
      return underLease(lease, async (trx) => {
        await inChunks(releases, (ids) =>
          trx('releases')
            .whereIn('id', ids)
            .whereIn('state', statesBefore('reverting'))
            .update({ state: 'reverting', failure: JSON.stringify(failure), undo: null }),
        )
        const rows = await selectInChunks(releases, (ids) =>
          selectReleases(trx).whereIn('releases.id', ids).where('releases.state', 'reverting'),
        )
        return rows.map(toRelease)
      })
    },

    listReverting: (projectId) => releasesIn(reader, projectId, 'reverting'),

    listClaimed: (projectId) => releasesIn(reader, projectId, 'claimed'),

    async finishReverting(lease, releases, rewritten) {
      await underLease(lease, async (trx) => {
        await writeObjects(trx, lease.projectId, rewritten)
        await freeClaims(trx, lease.projectId, releases)
        // What was restored is of several kinds, and a revert is rare.
        await purgeCached(trx, lease.projectId, [WHOLE_SITE], ports)
        for (const release of releases) await dropKey(trx, release)
        await inChunks(releases, (ids) =>
          trx('releases').whereIn('id', ids).update({ state: 'reverted', finished_at: now() }),
        )
      })
    },

    async listTombstones() {
      return (
        reader('projects')
          .whereNotNull('deleted_at')
          // The second purge, a day later, catches writes that were still on their way at the deletion.
          .where((due) =>
            due
              .where({ purges: 0 })
              .orWhere((late) => late.where({ purges: 1 }).where('deleted_at', '<', yesterday())),
          )
          .pluck('id')
      )
    },

    async deleteProject(lease) {
      await underLease(lease, async (trx) => {
        for (const table of PROJECT_TABLES) await trx(table).where({ project_id: lease.projectId }).delete()
        await purgeCached(trx, lease.projectId, [WHOLE_SITE], ports)
        await checkDeletedProject(trx, lease.projectId, eventPorts())
        // Set, not incremented: two processes may purge a project on the day of its deletion.
        const purges = trx.raw('CASE WHEN deleted_at < ? THEN 2 ELSE 1 END', [yesterday()])
        await trx('projects').where({ id: lease.projectId }).update({ purges })
      })
    },
  }
}

/** Releases to claim, in order of acceptance, with those left claimed by a previous holder. */
async function releasesIn(
  db: Knex,
  projectId: ProjectId,
  state: ReleaseState,
): Promise<readonly AnyRelease[]> {
  const rows = await selectReleases(db).where('releases.project_id', projectId).where('releases.state', state)
  return rows.map(toRelease)
}

/** Releases of a batch that change the live site. */
function changesOf({ live }: Pick<Commit, 'live'>): readonly ReleaseId[] {
  return live
    .filter(({ release, outcome }) => outcome.changed || !putsLive(release))
    .map(({ release }) => release.id)
}

const STATUS_COLUMNS = ['id', 'state', 'outcome', 'failure', 'finished_at', 'deadline_at'] as const

/** States of releases to claim, with those left by an earlier holder of the lease. */
const LEFT: readonly ReleaseState[] = ['claimed']
const WAITING: readonly ReleaseState[] = ['queued', ...LEFT]

async function waitingReleases(
  db: Knex,
  projectId: ProjectId,
  states: readonly ReleaseState[],
): Promise<readonly WaitingRelease[]> {
  const rows = await db<ReleaseRow>('releases')
    .where({ project_id: projectId })
    .whereIn('state', [...states])
    .orderBy('seq')
    .select('id', 'page_id', 'op', 'deadline_at')
  return rows.map(({ id, page_id: pageId, op, deadline_at: deadlineAt }) => ({ id, pageId, op, deadlineAt }))
}

/** Releases without those refused or withdrawn meanwhile. */
async function stillWaiting<Waiting extends AnyRelease>(
  trx: Knex,
  releases: readonly Waiting[],
): Promise<readonly Waiting[]> {
  const ids = await selectInChunks(
    releases.map(({ id }) => id),
    (chunk) =>
      trx('releases')
        .whereIn('id', chunk)
        .whereIn('state', [...WAITING])
        .pluck('id'),
  )
  const waiting = new Set<string>(ids)
  return releases.filter(({ id }) => waiting.has(id))
}

/** Maps one item after the other, because the calls share a transaction. */
async function mapInOrder<Item, Ended extends AnyRelease>(
  items: readonly Item[],
  end: (item: Item) => Promise<Ended>,
): Promise<readonly Ended[]> {
  const ended: Ended[] = []
  for (const item of items) ended.push(await end(item))
  return ended
}

/** Records the objects on the CDN after a deploy, and stores artifacts for a revert. */
async function writeDeployed(
  trx: Knex,
  projectId: ProjectId,
  { uploads, artifacts, deletes }: Pick<Commit, 'uploads' | 'artifacts' | 'deletes'>,
): Promise<void> {
  await writeArtifacts(trx, projectId, artifacts)
  await writeObjects(trx, projectId, uploads)
  await deleteObjects(trx, projectId, deletes)
}

import type { Knex } from 'knex'
import type { ProjectId } from '../domain/ids.ts'
import { type AnyRelease, isOurFault, UNFINISHED } from '../domain/release.ts'
import type { Commit, Ledger } from '../publish/ledger.ts'
import { claimReleases, standingOf } from './ledger/claims.ts'
import { dropKey } from './ledger/content-keys.ts'
import { liveReleases } from './ledger/data-mode-changes.ts'
import {
  announceReleases,
  endChange,
  endFailed,
  endLive,
  endRefused,
  freeClaims,
  revertFailed,
} from './ledger/finish-releases.ts'
import { createLeases, type LeasePorts } from './ledger/leases.ts'
import { claimListings, createListingRows, writeSlots } from './ledger/listings.ts'
import { createLiveRows } from './ledger/live-rows.ts'
import {
  deleteObjects,
  inChunks,
  letGo,
  noteUnnamed,
  writeKeyIds,
  writeLines,
  writeLivePages,
  writeLivePagesAnew,
  writeLiveSite,
  writeObjects,
} from './ledger/objects.ts'
import { cancelSchedules } from './ledger/schedules.ts'
import {
  askForMerge,
  createSearchRows,
  dropSearchBase,
  writeSearch,
  writeSearchBase,
  writeSearchEntries,
} from './ledger/search-rows.ts'
import { selectReleases, toRelease } from './releases.ts'
import type { SqliteConnections } from './sqlite.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** What goes with a project, in an order that leaves no row pointing at one that is gone. */
const FORGOTTEN = [
  'jobs',
  'deliveries',
  'webhooks',
  'pages',
  'search_entries',
  'search_bases',
  'live_pages',
  'live_objects',
  'artifacts',
  'content_keys',
  'live_sites',
  'listing_slots',
  'release_objects',
  'releases',
  'settings_snapshots',
]

export function createLedger(connections: SqliteConnections, ports: LeasePorts): Ledger {
  const { reader, transact } = connections
  const { now, newId } = ports
  const made = () => ({ newId, now: now() })
  const { led, ...leases } = createLeases(connections, ports)

  return {
    ...leases,
    ...createLiveRows(connections),
    ...createSearchRows(connections, ports),
    ...createListingRows(connections),

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

    async find(id) {
      const row = await selectReleases(reader).where('releases.id', id).first()
      return row === undefined ? null : toRelease(row)
    },

    async tombstones() {
      const yesterday = new Date(Date.parse(now()) - DAY_MS).toISOString()
      return (
        reader('projects')
          .whereNotNull('deleted_at')
          // Once more after a day: a write that was under way at the deletion has long ended by then.
          .where((due) =>
            due
              .where({ purges: 0 })
              .orWhere((late) => late.where({ purges: 1 }).where('deleted_at', '<', yesterday)),
          )
          .pluck('id')
      )
    },

    async forget(lease) {
      await led(lease, async (trx) => {
        for (const table of FORGOTTEN) await trx(table).where({ project_id: lease.projectId }).delete()
        await trx('projects').where({ id: lease.projectId }).increment('purges', 1)
      })
    },

    async claim(lease, limit, ports) {
      return led(lease, async (trx) => {
        const waiting = await selectReleases(trx)
          .where('releases.project_id', lease.projectId)
          .whereIn('releases.state', ['queued', 'claimed'])
          .limit(limit)
        return claimReleases(trx, lease, waiting.map(toRelease), ports, made())
      })
    },

    async refuse(id, failure) {
      return transact(async (trx) => {
        const row = await selectReleases(trx)
          .where('releases.id', id)
          .where('releases.state', 'queued')
          .first()
        return row === undefined ? null : endFailed(trx, { release: toRelease(row), failure }, now())
      })
    },

    standing: (release, keys) => standingOf(reader, release, keys),

    async claimListings(lease, claimer, pages) {
      await led(lease, (trx) => claimListings(trx, lease.projectId, claimer, pages))
    },

    async refuseQueue(lease, failure) {
      return led(lease, async (trx) => {
        const waiting = await selectReleases(trx)
          .where('releases.project_id', lease.projectId)
          .where('releases.state', 'queued')
        return each(waiting, (row) => endFailed(trx, { release: toRelease(row), failure }, now()))
      })
    },

    async fail(lease, failed) {
      return led(lease, (trx) =>
        each(failed, (one) => {
          // An earlier attempt may have written files: they are put back before it has ended.
          if (one.release.state === 'claimed') return revertFailed(trx, one, made())
          return isOurFault(one.failure) ? endFailed(trx, one, now()) : endRefused(trx, one, made())
        }),
      )
    },

    async commit(lease, commit) {
      const moment = made()
      const { ended, isTold } = await led(lease, async (trx) => {
        await writeDeployed(trx, lease.projectId, commit)
        await writeLivePages(trx, lease.projectId, commit)
        await writeSlots(trx, lease.projectId, commit.slots)
        await writeLiveSite(trx, lease.projectId, commit.site)
        await writeSearch(trx, lease.projectId, commit, ports)
        const releases = commit.live.map(({ release }) => release)
        await cancelSchedules(trx, releases, moment.now)
        await freeClaims(
          trx,
          lease.projectId,
          releases.map(({ id }) => id),
        )
        const digestsOf = new Map(commit.pages.map(({ releaseId, digests }) => [releaseId, digests]))
        const ended = await each(commit.live, ({ release, outcome }) =>
          endLive(trx, release, outcome, digestsOf.get(release.id) ?? null, moment.now),
        )
        return { ended, isTold: await announceReleases(trx, lease.projectId, ended, moment) }
      })
      if (isTold) ports.onTold?.()
      return ended
    },

    liveReleases: (change, pages) => liveReleases(reader, change, pages),

    async keepAhead(lease, kept) {
      await led(lease, (trx) => writeKept(trx, lease.projectId, kept))
    },

    async commitDataMode(lease, { release, site, pages, resealed, lines, ...commit }) {
      return led(lease, async (trx) => {
        await writeDeployed(trx, lease.projectId, { ...commit, kept: [] })
        await writeKeyIds(trx, lease.projectId, resealed, site.site.keyId)
        await writeLines(trx, lines)
        await writeLivePagesAnew(trx, lease.projectId, pages)
        await writeSearchEntries(trx, lease.projectId, { pages, gone: [] })
        await writeLiveSite(trx, lease.projectId, site)
        if (release.op === 'rekey') await dropSearchBase(trx, lease.projectId)
        return endChange(trx, release, now())
      })
    },

    async commitSearch(lease, { uploads, deletes, base, hasFormer }) {
      await led(lease, async (trx) => {
        await writeDeployed(trx, lease.projectId, { uploads, deletes, kept: [] })
        await writeSearchBase(trx, lease.projectId, base)
        if (hasFormer) await askForMerge(trx, lease.projectId, ports)
      })
    },

    async startReverting(lease, releases, failure) {
      return led(lease, async (trx) => {
        const given = [...releases]
        await trx('releases')
          .whereIn('id', given)
          .where({ state: 'claimed' })
          .update({ state: 'reverting', failure: JSON.stringify(failure), undo: null })
        return (
          await selectReleases(trx).whereIn('releases.id', given).where('releases.state', 'reverting')
        ).map(toRelease)
      })
    },

    async reverting(projectId) {
      const rows = await selectReleases(reader)
        .where('releases.project_id', projectId)
        .where('releases.state', 'reverting')
      return rows.map(toRelease)
    },

    async finishReverting(lease, releases, rewritten) {
      await led(lease, async (trx) => {
        await writeObjects(trx, lease.projectId, rewritten)
        await freeClaims(trx, lease.projectId, releases)
        for (const release of releases) await dropKey(trx, release)
        await trx('releases')
          .whereIn('id', [...releases])
          .update({ state: 'reverted', finished_at: now() })
      })
    },

    async noteUnnamed(lease, keys, since) {
      await led(lease, (trx) => noteUnnamed(trx, lease.projectId, keys, since))
    },

    async letGo(lease, keys) {
      await led(lease, (trx) => letGo(trx, lease.projectId, keys))
    },

    async forgetGone(lease, keys) {
      await led(lease, (trx) => deleteObjects(trx, lease.projectId, keys))
    },

    async keepSealed(projectId, sealed) {
      await transact(async (trx) => {
        for (const { digest, bytes } of sealed)
          await trx('artifacts').where({ project_id: projectId, digest }).update({ bytes, sealed: true })
      })
    },

    async begun(projectId) {
      return reader('releases')
        .where({ project_id: projectId })
        .whereIn('state', ['claimed', 'reverting'])
        .orderBy('seq')
        .pluck('id')
    },

    async mend(lease, rewritten, freed) {
      await led(lease, async (trx) => {
        await writeObjects(trx, lease.projectId, rewritten)
        await freeClaims(trx, lease.projectId, freed)
      })
    },
  }
}

/** One after the other, since they share a transaction. */
async function each<Item, Ended extends AnyRelease>(
  items: readonly Item[],
  end: (item: Item) => Promise<Ended>,
): Promise<readonly Ended[]> {
  const ended: Ended[] = []
  for (const item of items) ended.push(await end(item))
  return ended
}

/** What lies on the CDN now, and what is kept of it. */
async function writeDeployed(
  trx: Knex,
  projectId: ProjectId,
  { uploads, kept, deletes }: Pick<Commit, 'uploads' | 'kept' | 'deletes'>,
): Promise<void> {
  await writeKept(trx, projectId, kept)
  await writeObjects(trx, projectId, uploads)
  await deleteObjects(trx, projectId, deletes)
}

async function writeKept(trx: Knex, projectId: ProjectId, kept: Commit['kept']): Promise<void> {
  const rows = kept.map((artifact) => ({ project_id: projectId, ...artifact }))
  await inChunks(rows, (chunk) =>
    trx('artifacts').insert(chunk).onConflict(['project_id', 'digest']).ignore(),
  )
}

import type { Knex } from 'knex'
import { actorText } from '../domain/audit.ts'
import type { PageId, ReleaseId } from '../domain/ids.ts'
import {
  CONTINUED_PUBLISH,
  type Job,
  type JobState,
  jobOfRelease,
  NO_WARNINGS,
  releaseOfJob,
  withWarnings,
} from '../domain/job.ts'
import type { Snapshot } from '../domain/live-page.ts'
import { pageMediaNames } from '../domain/media-names.ts'
import {
  isPageRelease,
  type PastRelease,
  type Release,
  type ReleaseFailure,
  type ReleaseOp,
  type ReleaseOutcome,
  type ReleaseState,
  UNFINISHED,
} from '../domain/release.ts'
import { publicPath } from '../domain/route.ts'
import { isPostgres } from './dialect.ts'
import { freeClaims } from './ledger/finish-releases.ts'
import { listed, sliced, totalOf } from './list-slice.ts'
import {
  type ReleaseRow,
  selectReleases,
  snapshotText,
  storeSettings,
  toRelease,
  toWrappedKey,
} from './release-rows.ts'
import type { AcceptedRelease, ReleaseRepository } from './repositories/releases.ts'
import { compressSnapshot, decompressSnapshot, withSnapshotTexts } from './snapshot-text.ts'

/** The columns of a release's history entry; the snapshot may be large. */
const PAST_COLUMNS = [
  'id',
  'op',
  'state',
  'restores',
  'title',
  'path',
  'failure',
  'actor',
  'created_at',
  'finished_at',
] as const

/** The history entry of a page release. */
type PastRow = Pick<ReleaseRow, (typeof PAST_COLUMNS)[number]> & {
  readonly op: ReleaseOp
  readonly title: string
  readonly path: string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createReleaseRepository(db: Knex): ReleaseRepository {
  return {
    async accept(release) {
      const { projectId, snapshot } = release
      const digest = await storeSettings(db, projectId, snapshot.settings)
      await db('releases').insert(toRow(release, digest, await pinnedMedia(db, release)))
      await pinOriginals(db, [release])
    },

    async acceptAll(projectId, settings, releases) {
      const digest = await storeSettings(db, projectId, settings)
      const rows: ReturnType<typeof toRow>[] = []
      for (const release of releases.map((one) => ({ ...one, projectId })))
        rows.push(toRow(release, digest, await pinnedMedia(db, release)))
      for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
        await db('releases').insert(rows.slice(start, start + ROWS_PER_STATEMENT))
      await pinOriginals(
        db,
        releases.map((one) => ({ ...one, projectId })),
      )
    },

    async recent(projectId, limit) {
      const rows = await db('releases')
        .where({ project_id: projectId, state: 'live', in_history: true })
        .whereNotNull('page_id')
        .orderBy('seq', 'desc')
        .limit(limit)
        .select<(PastRow & { readonly page_id: PageId })[]>([...PAST_COLUMNS, 'page_id'])
      return rows.map((row) => {
        const { isCurrent: _, ...past } = toPastRelease(row, null)
        return { ...past, pageId: row.page_id }
      })
    },

    async lastSeq() {
      const [row] = await db('releases').max('seq as last')
      return row?.['last'] ?? 0
    },

    async compressedSnapshots(limit) {
      // PostgreSQL compresses long texts itself.
      if (isPostgres(db)) return []
      const rows = await db('releases')
        .whereNotNull('finished_at')
        .whereRaw(LONG_TEXT)
        .limit(limit)
        .select<{ id: ReleaseId; snapshot: string }[]>('id', 'snapshot')
      const compressed = await Promise.all(
        rows.map(async ({ id, snapshot }) => ({ id, snapshot: await compressSnapshot(db, snapshot) })),
      )
      return compressed.flatMap(({ id, snapshot }) => (snapshot === null ? [] : [{ id, snapshot }]))
    },

    async storeCompressed({ id, snapshot }) {
      await db('releases').where({ id }).whereNotNull('finished_at').update({ snapshot })
    },

    async unfinishedOf(pageId) {
      const row = await db<ReleaseRow>('releases')
        .where({ page_id: pageId })
        .whereIn('state', [...UNFINISHED])
        .orderBy('seq', 'desc')
        .first('id')
      return row?.id ?? null
    },

    find: (id) => findRelease(db, id),

    liveId,

    async findFollower(id) {
      const row = await db<ReleaseRow>('releases')
        .where({ id: releaseOfJob(id) })
        .first(
          'id',
          'project_id',
          'page_id',
          'state',
          'outcome',
          'failure',
          'actor',
          'created_at',
          'finished_at',
        )
      return row === undefined || row.page_id === null ? null : followerOf(row, row.page_id)
    },

    async findLive(pageId) {
      const id = await liveId(pageId)
      return id === null ? null : findRelease(db, id)
    },

    async liveText(pageId) {
      const id = await liveId(pageId)
      const row = id === null ? undefined : await db<ReleaseRow>('releases').where({ id }).first('snapshot')
      if (row === undefined) return null
      const text = await decompressSnapshot(row.snapshot)
      const { page, includes = [] } = JSON.parse(text) as Snapshot
      return { markdown: page.markdown, includes, size: text.length }
    },

    async history(pageId, slice) {
      const inHistory = () => db('releases').where({ page_id: pageId, in_history: true })
      const rows: readonly (PastRow & { readonly seq: number })[] = await sliced(
        inHistory(),
        ['seq'],
        'desc',
        slice,
      ).select('seq', ...PAST_COLUMNS)
      const live = await db('live_pages').where({ page_id: pageId }).first('release_id')
      const items = rows.map((row) => toPastRelease(row, live?.release_id ?? null))
      const positions = rows.map(({ seq: key, id }) => ({ key, id }))
      return listed(items, positions, slice, await totalOf(inHistory(), slice))
    },

    async withdraw(projectId, ids, failure, now) {
      const end = {
        state: 'failed',
        failure: JSON.stringify(failure),
        in_history: false,
        undo: null,
      } as const
      const withdrawn = new Set<ReleaseId>()
      for (let start = 0; start < ids.length; start += ROWS_PER_STATEMENT) {
        const ended = await db<ReleaseRow>('releases')
          .whereIn('id', ids.slice(start, start + ROWS_PER_STATEMENT))
          .whereIn('state', ['queued', 'claimed'])
          .where({ is_deploying: false })
          .update({ ...end, finished_at: now })
          .returning('id')
        for (const { id } of ended) withdrawn.add(id)
      }
      await freeClaims(db, projectId, [...withdrawn])
      return withdrawn
    },

    async acceptChange({ id, projectId, op, site, settings, actor, createdAt, deadlineAt, ...more }) {
      await db('releases').insert({
        id,
        project_id: projectId,
        page_id: null,
        op,
        state: 'queued',
        snapshot: JSON.stringify({ site, ...more }),
        settings_digest: await storeSettings(db, projectId, settings),
        lenient: false,
        strict: false,
        in_history: false,
        actor: actorText(actor),
        created_at: createdAt,
        deadline_at: deadlineAt,
      })
    },

    async contentKey(releaseId) {
      const row = await db('content_keys').where({ release_id: releaseId, state: 'active' }).first()
      return row === undefined ? null : toWrappedKey(row)
    },
  }

  async function liveId(pageId: PageId): Promise<ReleaseId | null> {
    const live = await db('live_pages')
      .where({ page_id: pageId })
      .first<{ release_id: ReleaseId } | undefined>('release_id')
    return live?.release_id ?? null
  }
}

async function findRelease(db: Knex, id: ReleaseId): Promise<Release | null> {
  const [row] = await withSnapshotTexts(await selectReleases(db).where('releases.id', id))
  const release = row === undefined ? null : toRelease(row)
  return release !== null && isPageRelease(release) ? release : null
}

/** The condition of the index `releases_uncompressed_index`. */
const LONG_TEXT = "typeof(snapshot) = 'text' AND octet_length(snapshot) >= 16384"

/** Rows per insert; SQLite accepts at most 500. */
const ROWS_PER_STATEMENT = 100

/** The row of an accepted release, in the state `queued`. */
function toRow({ snapshot, undo, ...release }: AcceptedRelease, settingsDigest: string, media: string) {
  return {
    id: release.id,
    project_id: release.projectId,
    page_id: release.pageId,
    op: release.op,
    state: 'queued',
    snapshot: snapshotText(snapshot, release.redirects),
    settings_digest: settingsDigest,
    status_after: release.statusAfter,
    lenient: release.lenient,
    strict: release.strict,
    restores: release.restores,
    title: snapshot.page.title,
    path: publicPath(snapshot.page, snapshot.settings.siteRoutes),
    in_history: true,
    undo: undo === null ? null : JSON.stringify(undo),
    actor: actorText(release.actor),
    created_at: release.createdAt,
    deadline_at: release.deadlineAt,
    media,
  }
}

/**
 * Returns the current digests of assets by their names in the page, JSON; null where no asset has the name. A rollback
 * has the digests of the release that it restores.
 */
async function pinnedMedia(
  db: Knex,
  { projectId, snapshot, restores }: Pick<AcceptedRelease, 'projectId' | 'snapshot' | 'restores'>,
): Promise<string> {
  const restored = restores === null ? undefined : await db('releases').where({ id: restores }).first('media')
  if (restored !== undefined) return restored.media
  const names = pageMediaNames(snapshot.page)
  if (names.length === 0) return '{}'
  const digests = new Map<string, string>()
  for (let start = 0; start < names.length; start += ROWS_PER_STATEMENT) {
    const some = names.slice(start, start + ROWS_PER_STATEMENT)
    for (const { name, digest } of await db('assets')
      .where({ project_id: projectId })
      .whereIn('name', some)
      .select('name', 'digest'))
      digests.set(name, digest)
  }
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, digests.get(name) ?? null])))
}

/** Keeps what the releases show in the media store, while they can be live. */
async function pinOriginals(
  db: Knex,
  releases: readonly Pick<AcceptedRelease, 'id' | 'projectId' | 'snapshot'>[],
): Promise<void> {
  for (const { id, projectId, snapshot } of releases) {
    const digests = [...new Set(Object.values(snapshot.media ?? {}).map(({ digest }) => digest))]
    for (let start = 0; start < digests.length; start += ROWS_PER_STATEMENT) {
      const shown = db('originals')
        .where({ project_id: projectId, state: 'stored' })
        .whereIn('stored_digest', digests.slice(start, start + ROWS_PER_STATEMENT))
        .select('project_id', db.raw('?', [id]), 'id')
      await db(db.raw('?? (??, ??, ??)', ['media_pins', 'project_id', 'holder', 'original_id'])).insert(shown)
    }
  }
}

function toPastRelease(row: PastRow, current: ReleaseId | null): PastRelease {
  return {
    id: row.id,
    op: row.op,
    state: row.state,
    restores: row.restores,
    title: row.title,
    path: row.path,
    failure: row.failure === null ? null : JSON.parse(row.failure),
    actor: row.actor === null ? null : JSON.parse(row.actor),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    isCurrent: row.id === current,
  }
}

const JOB_STATES: Readonly<Record<ReleaseState, JobState>> = {
  queued: 'queued',
  claimed: 'running',
  reverting: 'running',
  live: 'succeeded',
  failed: 'failed',
  reverted: 'failed',
}

function followerOf(
  row: Pick<
    ReleaseRow,
    'id' | 'project_id' | 'state' | 'outcome' | 'failure' | 'actor' | 'created_at' | 'finished_at'
  >,
  pageId: PageId,
): Job {
  const state = JOB_STATES[row.state]
  const failure: ReleaseFailure | null = row.failure === null ? null : JSON.parse(row.failure)
  const outcome: ReleaseOutcome | null = row.outcome === null ? null : JSON.parse(row.outcome)
  const warnings = (outcome?.warnings ?? []).map((warning) => ({ pageId, ...warning }))
  return {
    id: jobOfRelease(row.id),
    projectId: row.project_id,
    kind: CONTINUED_PUBLISH,
    subject: pageId,
    payload: null,
    state,
    total: 1,
    done: state === 'succeeded' ? 1 : 0,
    failed: state === 'failed' && failure !== null ? [{ pageId, message: failure.message }] : [],
    warnings: withWarnings(NO_WARNINGS, warnings),
    checkpoint: null,
    attempts: 0,
    dueAt: row.created_at,
    actor: row.actor === null ? null : JSON.parse(row.actor),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}

import type { Knex } from 'knex'
import type { PageId, ProjectId, PushId, UserId } from '../domain/ids.ts'
import { PUSH_RETENTION_DAYS, type Push, type PushConflict } from '../domain/push.ts'
import { selectInChunks } from './ledger/objects.ts'
import { listed, sliced, totalOf } from './list-slice.ts'
import type { ListedConflict, PushRepository, StoredConflict } from './repositories/pushes.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Rows per call of `prune`. */
const PRUNED = 500
/** The counts of a push that has sent nothing. */
const NO_COUNTS = '{}'

interface PushRow {
  readonly id: PushId
  readonly project_id: ProjectId
  readonly folder: string
  readonly name: string
  readonly revision: string | null
  readonly committed_at: string | null
  readonly state: Push['state']
  readonly counts: string
  readonly user_id: UserId
  readonly started_at: string
  readonly expires_at: string
  readonly finished_at: string | null
}

interface ConflictRow {
  readonly page_id: PageId
  readonly project_id: ProjectId
  readonly folder: string
  readonly path: string
  readonly fields: string
  readonly values: string | null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createPushRepository(db: Knex): PushRepository {
  const rows = () => db<PushRow>('pushes')
  const newestFirst = [
    { column: 'started_at', order: 'desc' },
    { column: 'id', order: 'desc' },
  ]

  return {
    async insert(push) {
      await db('pushes').insert(toRow(push))
    },

    async find(id) {
      const row = await rows().where({ id }).first()
      return row === undefined ? null : toPush(row)
    },

    async update(push) {
      await rows().where({ id: push.id }).update(toRow(push))
    },

    async running(projectId, folder, now) {
      const row = await rows()
        .where({ project_id: projectId, folder, state: 'running' })
        .where('expires_at', '>', now)
        .first()
      return row === undefined ? null : toPush(row)
    },

    async last(projectId, folder) {
      const row = await rows()
        .where({ project_id: projectId, folder })
        .whereNot({ state: 'failed', counts: NO_COUNTS })
        .orderBy(newestFirst)
        .first()
      return row === undefined ? null : toPush(row)
    },

    async list(projectId, folder, slice) {
      const ofProject = () => rows().where({ project_id: projectId, ...(folder !== null && { folder }) })
      const found: readonly PushRow[] = await sliced(ofProject(), ['started_at', 'id'], 'desc', slice)
      const positions = found.map(({ started_at: key, id }) => ({ key, id }))
      return listed(found.map(toPush), positions, slice, await totalOf(ofProject(), slice))
    },

    async replaceConflicts(push, conflicts) {
      const { projectId, folder } = push
      await db('push_conflicts').where({ project_id: projectId, folder }).delete()
      const ids = conflicts.map(({ pageId }) => pageId)
      const found = await selectInChunks(ids, (some) =>
        db('pages').where({ project_id: projectId }).whereIn('id', some).pluck<PageId[]>('id'),
      )
      const rows = conflicts
        .filter(({ pageId }) => found.includes(pageId))
        .map((conflict) => toConflictRow(push, conflict))
      for (const row of rows) await db('push_conflicts').insert(row).onConflict('page_id').merge()
    },

    async conflicts(projectId, limit) {
      return db('push_conflicts')
        .join('pages', 'pages.id', 'push_conflicts.page_id')
        .where('push_conflicts.project_id', projectId)
        .orderBy(['push_conflicts.path', 'push_conflicts.page_id'])
        .limit(limit)
        .select<ListedConflict[]>('push_conflicts.page_id as pageId', 'push_conflicts.path', 'pages.title')
    },

    async countConflicts(projectId) {
      const count = await db('push_conflicts').where({ project_id: projectId }).count({ total: '*' }).first()
      return Number(count?.['total'])
    },

    async conflictOf(pageId) {
      const row = await db<ConflictRow>('push_conflicts').where({ page_id: pageId }).first()
      return row === undefined ? null : toConflict(row)
    },

    async deleteConflict(pageId) {
      await db('push_conflicts').where({ page_id: pageId }).delete()
    },

    async prune(now) {
      const end = new Date(Date.parse(now) - PUSH_RETENTION_DAYS * DAY_MS).toISOString()
      const expired = await rows()
        .where('started_at', '<', end)
        .whereExists(
          db('pushes as later')
            .whereRaw('later.project_id = pushes.project_id AND later.folder = pushes.folder')
            .whereRaw('later.started_at > pushes.started_at')
            .whereNot({ 'later.state': 'failed', 'later.counts': NO_COUNTS })
            .select(db.raw('1')),
        )
        .orderBy('started_at')
        .limit(PRUNED)
        .pluck('id')
      return expired.length > 0 && (await rows().whereIn('id', expired).delete()) === PRUNED
    },
  }
}

function toPush(row: PushRow): Push {
  return {
    id: row.id,
    projectId: row.project_id,
    folder: row.folder,
    name: row.name,
    revision: row.revision,
    committedAt: row.committed_at,
    state: row.state,
    counts: JSON.parse(row.counts),
    userId: row.user_id,
    startedAt: row.started_at,
    expiresAt: row.expires_at,
    finishedAt: row.finished_at,
  }
}

function toRow(push: Push): PushRow {
  return {
    id: push.id,
    project_id: push.projectId,
    folder: push.folder,
    name: push.name,
    revision: push.revision,
    committed_at: push.committedAt,
    state: push.state,
    counts: JSON.stringify(push.counts),
    user_id: push.userId,
    started_at: push.startedAt,
    expires_at: push.expiresAt,
    finished_at: push.finishedAt,
  }
}

function toConflict(row: ConflictRow): StoredConflict {
  return {
    pageId: row.page_id,
    folder: row.folder,
    path: row.path,
    fields: JSON.parse(row.fields),
    values: row.values === null ? null : JSON.parse(row.values),
  }
}

function toConflictRow(
  { projectId, folder }: Push,
  { pageId, path, fields, values }: PushConflict,
): ConflictRow {
  return {
    page_id: pageId,
    project_id: projectId,
    folder,
    path,
    fields: JSON.stringify(fields),
    values: values === null ? null : JSON.stringify(values),
  }
}

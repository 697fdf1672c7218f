import type { Knex } from 'knex'
import type { Act } from '../domain/audit.ts'
import { CHANGE_RETENTION_DAYS, type Change, type ChangeRecord } from '../domain/change.ts'
import type { ProjectId, ReleaseId } from '../domain/ids.ts'
import { rowsOf } from './dialect.ts'
import type { ChangeRepository } from './repositories/changes.ts'

interface ChangeRow {
  readonly id: number | string
  readonly project_id: ProjectId
  readonly seq: number | string
  readonly at: string
  readonly record: ChangeRecord
  readonly record_id: string
  readonly act: Act
  readonly fields: string | null
  readonly release_id: ReleaseId | null
  readonly version: number | null
  readonly status: string | null
  readonly path: string | null
  readonly former_path: string | null
  readonly is_deleted: number | boolean
}

interface StateRow {
  readonly history: string | null
  readonly newest: number | string | null
  readonly pending: number | string | null
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Rows examined per call of `prune`. */
const STEP = 500

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createChangeRepository(db: Knex): ChangeRepository {
  const rows = () => db<ChangeRow>('changes')
  const numbered = (projectId: ProjectId) => rows().where({ project_id: projectId }).whereNotNull('seq')

  return {
    async state(projectId) {
      const pending = rows().where({ project_id: projectId }).whereNull('seq').limit(1)
      const newest = numbered(projectId).orderBy('seq', 'desc').limit(1)
      const [state]: readonly StateRow[] = await db.select(
        db('change_history').where({ row: 1 }).select('id').as('history'),
        newest.select('seq').as('newest'),
        pending.select('id').as('pending'),
      )
      return {
        history: state?.history ?? null,
        newest: Number(state?.newest ?? 0),
        isPending: state?.pending != null,
      }
    },

    async number(projectId, limit) {
      const newest = await numbered(projectId).orderBy('seq', 'desc').first('seq')
      const answer = await db.raw(
        `UPDATE changes SET seq = ? + placed.place, ${RESOLVED}
          FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM changes
            WHERE project_id = ? AND seq IS NULL ORDER BY id LIMIT ?) AS placed
          WHERE changes.id = placed.id RETURNING changes.id`,
        [Number(newest?.seq ?? 0), projectId, limit],
      )
      return rowsOf(answer).length
    },

    pending(limit) {
      return rows().whereNull('seq').distinct().limit(limit).pluck<ProjectId[]>('project_id')
    },

    async list(projectId, { after, records, limit }) {
      const query = rows()
        .where({ project_id: projectId })
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
      if (records !== null) query.whereIn('record', [...records])
      const found: readonly ChangeRow[] = await query
      return found.map(toChange)
    },

    async beginHistory(id) {
      await db('change_history').insert({ row: 1, id }).onConflict('row').ignore()
    },

    async forgetHistory() {
      await db('change_history').delete()
    },

    async prune(now, after) {
      const end = new Date(Date.parse(now) - CHANGE_RETENTION_DAYS * DAY_MS).toISOString()
      const examined = await rows()
        .where('id', '>', after ?? 0)
        .orderBy('id')
        .limit(STEP)
        .select('id', 'at')
      const firstKept = examined.findIndex(({ at }) => at >= end)
      const old = firstKept === -1 ? examined : examined.slice(0, firstKept)
      const last = old.at(-1)
      if (last === undefined) return null
      await rows()
        .whereBetween('id', [old[0]?.id ?? last.id, last.id])
        .where((unneeded) =>
          unneeded
            .whereExists(
              db('changes AS newer')
                .where('newer.record_id', db.ref('changes.record_id'))
                .where('newer.record', db.ref('changes.record'))
                .where('newer.seq', '>', db.ref('changes.seq'))
                .select(db.raw('1')),
            )
            .orWhereIn('project_id', db('projects').whereNotNull('deleted_at').select('id')),
        )
        .delete()
      return old.length < STEP ? null : Number(last.id)
    },
  }
}

const of = (record: ChangeRecord, table: string, column: string, key = 'id') =>
  `WHEN '${record}' THEN (SELECT ${column} FROM ${table} WHERE ${table}.${key} = changes.record_id)`
const releasePath = (column: string) => `(SELECT path FROM releases WHERE releases.id = changes.${column})`

/**
 * State of the record of a change, at the time of its numbering. A schedule ends without an act. If its page is deleted
 * then, the change is a deletion.
 */
const RESOLVED = `
  version = coalesce(changes.version, CASE changes.record ${of('page', 'pages', 'version')}
    ${of('asset', 'assets', 'version')} ${of('project', 'projects', 'version')}
    ${of('settings', 'settings', 'version', 'project_id')} END),
  status = CASE WHEN changes.act IN ('page.publish', 'page.roll_back') THEN 'published' ELSE CASE changes.record
    ${of('page', 'pages', 'status')} ${of('asset', 'assets', 'status')} ${of('project', 'projects', 'status')} END END,
  path = CASE WHEN changes.record = 'page' AND changes.act NOT IN ('page.unpublish', 'page.delete')
    THEN coalesce(${releasePath('release_id')},
      (SELECT path FROM live_pages WHERE live_pages.page_id = changes.record_id)) END,
  former_path = ${releasePath('former_release_id')},
  is_deleted = (changes.act LIKE '%.delete' OR (changes.record = 'page' AND coalesce(changes.fields, '') = '["scheduled_at"]'
    AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.id = changes.record_id)))`

function toChange(row: ChangeRow): Change {
  return {
    projectId: row.project_id,
    seq: Number(row.seq),
    at: row.at,
    record: row.record,
    id: row.record_id,
    act: row.act,
    isDeleted: Boolean(row.is_deleted),
    version: row.version,
    status: row.status,
    releaseId: row.release_id,
    path: row.path,
    formerPath: row.former_path,
    fields: fieldsOf(row),
  }
}

/** An act that changes a project and its settings names the fields of both. */
function fieldsOf({ record, act, fields }: ChangeRow): readonly string[] {
  const names: readonly string[] = fields === null ? [] : JSON.parse(fields)
  if (act !== 'project.update') return names
  const ofSettings = names.filter((name) => name.startsWith(SETTINGS))
  return record === 'settings'
    ? ofSettings.map((name) => name.slice(SETTINGS.length))
    : names.filter((name) => !name.startsWith(SETTINGS))
}

const SETTINGS = 'settings.'

import type { Knex } from 'knex'
import {
  type Act,
  AUDIT_RETENTION_DAYS,
  type AuditEntry,
  actorText,
  type RefusalReason,
  SERVICE,
} from '../domain/audit.ts'
import type { AuditId, ProjectId, ReleaseId, UserId } from '../domain/ids.ts'
import type { DataModeOp, ReleaseOp } from '../domain/release.ts'
import { jsonTexts, withoutMember } from './dialect.ts'
import { listed, sliced, totalOf } from './list-slice.ts'
import type { AuditFilter, AuditRepository } from './repositories/audit.ts'

interface AuditRow {
  readonly seq: number
  readonly id: AuditId
  readonly created_at: string
  readonly user_id: UserId
  readonly project_id: ProjectId | null
  readonly act: Act
  readonly target: string
  readonly actor: string
  readonly before: string | null
  readonly after: string | null
  readonly fields: string | null
  readonly reason: RefusalReason | null
  readonly count: number | null
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Rows per call of `prune`. */
const PRUNED = 500

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createAuditRepository(db: Knex): AuditRepository {
  const rows = () => db<AuditRow>('audit_log')

  return {
    async insert({ id, createdAt, of, act, target, actor, before = null, after = null, fields = [] }) {
      await db('audit_log').insert({
        id,
        created_at: createdAt,
        user_id:
          'userId' in of ? of.userId : db.raw('(SELECT user_id FROM projects WHERE id = ?)', [of.projectId]),
        project_id: of.projectId ?? null,
        act,
        target,
        actor: actorText(actor),
        before: before && JSON.stringify(before),
        after: after && JSON.stringify(after),
        fields: fields.length === 0 ? null : JSON.stringify(fields),
      })
    },

    async addRefusals(id, count) {
      const changed = await rows()
        .where({ id })
        .whereNotNull('reason')
        .update({ count: db.raw('count + ?', [count]) })
      return changed > 0
    },

    async insertRefusals({ id, createdAt, of, act, target, actor, reason, count }) {
      const row = { id, created_at: createdAt, user_id: of.userId, act, target, actor: actorText(actor) }
      await db('audit_log')
        .insert({ ...row, reason, count })
        .onConflict(db.raw('(id, reason) WHERE reason IS NOT NULL'))
        .merge({ count: db.raw('audit_log.count + excluded.count') })
    },

    async countRefusals(userId, since) {
      const row = await rows()
        .where({ user_id: userId, act: 'session.refuse' })
        .where('created_at', '>=', since)
        .count({ total: '*' })
        .first()
      return Number(row?.['total'])
    },

    async list(filter, slice) {
      const found: readonly AuditRow[] = await sliced(
        matching(filter),
        filter.of === null ? ['seq'] : ['created_at', 'seq'],
        'desc',
        slice,
      )
      const positions = found.map(({ created_at: createdAt, seq }) => ({
        key: filter.of === null ? seq : createdAt,
        id: seq,
      }))
      return listed(found.map(toEntry), positions, slice, await totalOf(matching(filter), slice))
    },

    async blankAddresses(userId) {
      for (const table of ['audit_log', 'releases', 'jobs'])
        await db(table)
          .whereLike('actor', `%"userId":"${userId}"%`)
          .whereLike('actor', '%"clientAddress"%')
          .update({ actor: withoutMember(db, 'actor', 'clientAddress') })
      await db('audit_log')
        .where({ user_id: userId, act: 'session.refuse' })
        .update({ actor: withoutMember(db, 'actor', 'clientAddress') })
    },

    async prune(now) {
      const end = new Date(Date.parse(now) - AUDIT_RETENTION_DAYS * DAY_MS).toISOString()
      const oldest = await rows().orderBy('seq').limit(PRUNED).select('seq', 'created_at')
      const expired = oldest.filter(({ created_at }) => created_at < end).map(({ seq }) => seq)
      return expired.length > 0 && (await rows().whereIn('seq', expired).delete()) === PRUNED
    },
  }

  function matching({ of, act, createdAfter, createdBefore }: AuditFilter) {
    const query = rows()
    if (of !== null) query.where('userId' in of ? { user_id: of.userId } : { project_id: of.projectId })
    if (act !== null) query.where({ act })
    if (createdAfter !== null) query.where('created_at', '>', createdAfter)
    if (createdBefore !== null) query.where('created_at', '<', createdBefore)
    return query
  }
}

const RELEASE_ACTS: Readonly<Record<ReleaseOp | DataModeOp, Act>> = {
  publish: 'page.publish',
  rollback: 'page.roll_back',
  refresh: 'page.refresh',
  unpublish: 'page.unpublish',
  'delete-page': 'page.delete',
  enable: 'data_mode.enable',
  disable: 'data_mode.disable',
  rekey: 'data_mode.regenerate_key',
}

const ACT_OF_OP = `CASE releases.op ${Object.entries(RELEASE_ACTS)
  .map(([op, act]) => `WHEN '${op}' THEN '${act}'`)
  .join(' ')} END`

/**
 * Records the end of these releases with one statement, each with the release that was live before. Call it in the
 * transaction that makes them live, before the live state is written.
 */
export async function recordReleases(trx: Knex, ids: readonly ReleaseId[], now: string): Promise<void> {
  if (ids.length === 0) return
  await trx.raw(
    `INSERT INTO audit_log (id, created_at, user_id, project_id, act, target, actor, "before", "after")
      SELECT releases.id, ?, projects.user_id, projects.id, ${ACT_OF_OP},
        coalesce(releases.page_id, projects.id), coalesce(releases.actor, ?),
        '{"releaseId":"' || live_pages.release_id || '"}',
        CASE WHEN releases.op IN ('unpublish', 'delete-page') THEN NULL ELSE '{"releaseId":"' || releases.id || '"}' END
      FROM releases JOIN projects ON projects.id = releases.project_id
        LEFT JOIN live_pages ON live_pages.page_id = releases.page_id
      WHERE releases.id IN (SELECT value FROM ${jsonTexts(trx, '?')}) ORDER BY releases.seq`,
    [now, actorText(SERVICE), JSON.stringify(ids)],
  )
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    createdAt: row.created_at,
    userId: row.user_id,
    projectId: row.project_id,
    act: row.act,
    target: row.target,
    actor: JSON.parse(row.actor),
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
    fields: row.fields === null ? [] : JSON.parse(row.fields),
    reason: row.reason,
    count: row.count,
  }
}

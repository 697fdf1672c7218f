import type { Knex } from 'knex'
import type { Permission, Plan } from '../domain/caller.ts'
import type { KeyId, ProjectId, UserId } from '../domain/ids.ts'
import { allowanceOf, type KeyPlan, largestPlan } from '../domain/plan-allowance.ts'
import { distinctTexts } from './dialect.ts'
import { listed, sliced, totalOf } from './list-slice.ts'
import type { ApiKey, FoundKey, KeyRepository } from './repositories/keys.ts'
import type { UserRow } from './user-rows.ts'

interface KeyRow {
  readonly id: KeyId
  readonly user_id: UserId
  readonly project_id: ProjectId | null
  readonly name: string
  readonly hash: string
  readonly plan: Plan
  readonly limits: string | null
  readonly permissions: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly created_at: string
  readonly former_hash: string | null
  readonly former_until: string | null
  readonly version: number
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createKeyRepository(db: Knex): KeyRepository {
  const keys = () => db<KeyRow>('api_keys')

  return {
    async insert(key, hash) {
      await keys().insert({
        id: key.id,
        user_id: key.userId,
        project_id: key.projectScope,
        name: key.name,
        hash,
        plan: key.plan,
        limits: key.limits === null ? null : JSON.stringify(key.limits),
        permissions: key.permissions.join(','),
        expires_at: key.expiresAt,
        revoked_at: key.revokedAt,
        created_at: key.createdAt,
        former_until: key.formerUntil,
        version: key.version,
      })
    },

    async findByHash(hash, now) {
      const found = await findWhere({ hash }, now)
      if (found !== null) return found
      const former = await findWhere({ former_hash: hash }, now)
      if (former !== null) return { ...former, key: untilReplaced(former.key, former.key.formerUntil) }
      const earlier = await db('earlier_key_hashes').where({ hash }).first('key_id', 'until')
      const ofEarlier = earlier === undefined ? null : await findWhere({ 'api_keys.id': earlier.key_id }, now)
      return ofEarlier && { ...ofEarlier, key: untilReplaced(ofEarlier.key, earlier.until) }
    },

    findCaller: (id, now) => findWhere({ 'api_keys.id': id }, now),

    async find(id) {
      const row = await keys().where({ id }).first()
      return row === undefined ? null : toKey(row)
    },

    async plansOf(userId, now) {
      const rows = await valid(now).where('valid.user_id', userId).distinct('plan', 'limits')
      return rows.map(({ plan, limits }) => ({ plan, limits: limits === null ? null : JSON.parse(limits) }))
    },

    async list() {
      return (await keys().orderBy('created_at').orderBy('id')).map(toKey)
    },

    async listLive({ userId, projectScope, liveAt }, slice) {
      const live = () =>
        keys()
          .where({ user_id: userId, ...(projectScope !== null && { project_id: projectScope }) })
          .whereNull('revoked_at')
          .where((query) => query.whereNull('expires_at').orWhere('expires_at', '>', liveAt))
      const rows: readonly KeyRow[] = await sliced(live(), ['created_at', 'id'], 'desc', slice)
      const positions = rows.map(({ created_at: key, id }) => ({ key, id }))
      return listed(rows.map(toKey), positions, slice, await totalOf(live(), slice))
    },

    async update({ id, name, permissions, expiresAt, version }) {
      await keys()
        .where({ id })
        .update({ name, permissions: permissions.join(','), expires_at: expiresAt, version })
    },

    async rotate({ id, formerUntil, version }, hash, now) {
      const isEndingAll = formerUntil !== null && formerUntil <= now
      await db('earlier_key_hashes')
        .where({ key_id: id })
        .where((ended) => (isEndingAll ? ended : ended.where('until', '<=', now)))
        .delete()
      if (!isEndingAll)
        await db(db.raw('earlier_key_hashes (hash, key_id, until)')).insert(
          keys().where({ id }).where('former_until', '>', now).select('former_hash', 'id', 'former_until'),
        )
      await keys()
        .where({ id })
        .update({ former_hash: db.ref('hash'), former_until: formerUntil, hash, version })
    },

    async countEarlier(id, now) {
      const row = await db('earlier_key_hashes')
        .where({ key_id: id })
        .where('until', '>', now)
        .count({ total: '*' })
        .first<{ readonly total: number | string }>()
      return Number(row.total)
    },

    async reissue(id, hash) {
      await keys().where({ id }).update({ hash })
    },

    async revoke(id, now) {
      const changed = await keys().where({ id }).whereNull('revoked_at').update({ revoked_at: now })
      return changed > 0 || (await keys().where({ id }).first()) !== undefined
    },
  }

  async function findWhere(
    condition: Readonly<Record<string, string>>,
    now: string,
  ): Promise<FoundKey | null> {
    const plans = valid(now)
      .where('valid.user_id', db.ref('api_keys.user_id'))
      .select(db.raw(distinctTexts(db, PLAN_TEXT)))
      .as('plans')
    const row = await keys()
      .join('users', 'users.id', 'api_keys.user_id')
      .where(condition)
      .first<KeyWithUser>('api_keys.*', 'users.email', 'users.can_create_projects', 'users.locked_at', plans)
    return row === undefined ? null : toFound(row)
  }

  function valid(now: string) {
    return db<KeyRow>('api_keys as valid')
      .whereNull('valid.revoked_at')
      .where((query) => query.whereNull('valid.expires_at').orWhere('valid.expires_at', '>', now))
  }
}

/** The plan and the limits of a key, with a blank between them. */
const PLAN_TEXT = "valid.plan || ' ' || coalesce(valid.limits, '')"

type KeyWithUser = KeyRow &
  Pick<UserRow, 'email' | 'can_create_projects' | 'locked_at'> & {
    /** The plans of the user's valid keys: an array of texts, JSON. Null or empty without any. */
    readonly plans: string | null
  }

function toFound(row: KeyWithUser): FoundKey {
  const key = toKey(row)
  const { userId, projectScope, permissions, plan, limits } = key
  const largest = largestPlan((JSON.parse(row.plans ?? '[]') as string[]).map(readPlan))
  return {
    key,
    isLocked: row.locked_at !== null,
    caller: {
      userId,
      via: { kind: 'key', id: key.id },
      email: row.email,
      projectScope,
      permissions,
      plan,
      allowance: allowanceOf(plan, limits),
      accountAllowance: allowanceOf(largest.plan, largest.limits),
      canCreateProjects: Boolean(row.can_create_projects),
      idempotentRequest: null,
    },
  }
}

function readPlan(text: string): KeyPlan {
  const [plan = ''] = text.split(' ', 1)
  const limits = text.slice(plan.length + 1)
  return { plan: plan as Plan, limits: limits === '' ? null : JSON.parse(limits) }
}

/** The key as a secret of before sees it, which is accepted until then. */
function untilReplaced(key: ApiKey, until: string | null): ApiKey {
  const ends = [key.expiresAt, until].filter((end) => end !== null).sort()
  return { ...key, expiresAt: ends[0] ?? key.createdAt }
}

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    userId: row.user_id,
    projectScope: row.project_id,
    name: row.name,
    plan: row.plan,
    limits: row.limits === null ? null : JSON.parse(row.limits),
    permissions: row.permissions.split(',') as Permission[],
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    formerUntil: row.former_until,
    createdAt: row.created_at,
    version: row.version,
  }
}

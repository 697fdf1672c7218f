import type { Knex } from 'knex'
import type { Permission, Plan } from '../domain/caller.ts'
import type { KeyId, ProjectId, UserId } from '../domain/ids.ts'
import { allowanceOf } from '../domain/plan-allowance.ts'
import type { ApiKey, FoundKey, KeyRepository } from './repositories/keys.ts'

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

    async findByHash(hash) {
      const found = await findWhere({ hash })
      if (found !== null) return found
      const former = await findWhere({ former_hash: hash })
      return former === null ? null : { ...former, key: untilReplaced(former.key) }
    },

    find: (id) => findWhere({ 'api_keys.id': id }),

    async list() {
      return (await keys().orderBy('created_at').orderBy('id')).map(toKey)
    },

    async listLive({ userId, projectScope, liveAt }, { limit, offset }) {
      const live = () =>
        keys()
          .where({ user_id: userId, ...(projectScope !== null && { project_id: projectScope }) })
          .whereNull('revoked_at')
          .where((query) => query.whereNull('expires_at').orWhere('expires_at', '>', liveAt))
      const rows = await live()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
      const total = await live().count({ total: '*' }).first<{ readonly total: number }>()
      return { items: rows.map(toKey), total: Number(total.total) }
    },

    async update({ id, name, permissions, expiresAt, version }) {
      await keys()
        .where({ id })
        .update({ name, permissions: permissions.join(','), expires_at: expiresAt, version })
    },

    async rotate({ id, formerUntil, version }, hash) {
      await keys()
        .where({ id })
        .update({ former_hash: db.ref('hash'), former_until: formerUntil, hash, version })
    },

    async reissue(id, hash) {
      await keys().where({ id }).update({ hash })
    },

    async revoke(id, now) {
      const changed = await keys().where({ id }).whereNull('revoked_at').update({ revoked_at: now })
      return changed > 0 || (await keys().where({ id }).first()) !== undefined
    },
  }

  async function findWhere(condition: Readonly<Record<string, string>>): Promise<FoundKey | null> {
    const row = await keys()
      .join('users', 'users.id', 'api_keys.user_id')
      .where(condition)
      .first<KeyWithUser>('api_keys.*', 'users.email', 'users.can_create_projects')
    return row === undefined ? null : toFound(row)
  }
}

type KeyWithUser = KeyRow & { readonly email: string; readonly can_create_projects: number | boolean }

function toFound(row: KeyWithUser): FoundKey {
  const key = toKey(row)
  const { userId, projectScope, permissions, plan, limits } = key
  return {
    key,
    caller: {
      userId,
      via: { kind: 'key', id: key.id },
      email: row.email,
      projectScope,
      permissions,
      plan,
      allowance: allowanceOf(plan, limits),
      canCreateProjects: Boolean(row.can_create_projects),
      idempotentRequest: null,
    },
  }
}

/** The key as its secret before the last rotation sees it. */
function untilReplaced(key: ApiKey): ApiKey {
  const ends = [key.expiresAt, key.formerUntil].filter((end) => end !== null).sort()
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

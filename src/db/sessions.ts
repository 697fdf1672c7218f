import type { Knex } from 'knex'
import type { SessionId, UserId } from '../domain/ids.ts'
import type { FoundSession, Session, SessionRepository } from './repositories/sessions.ts'
import { toUser, type UserRow } from './user-rows.ts'

/** Rows deleted per call. */
const PRUNED = 500

interface SessionRow {
  readonly id: SessionId
  readonly user_id: UserId
  readonly token_hash: string
  readonly created_at: string
  readonly used_at: string
  readonly expires_at: string
  readonly address: string
  readonly user_agent: string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createSessionRepository(db: Knex): SessionRepository {
  const sessions = () => db<SessionRow>('sessions')

  return {
    async insert({ id, userId, createdAt, usedAt, expiresAt, address, userAgent }, tokenHash) {
      await sessions().insert({
        id,
        user_id: userId,
        token_hash: tokenHash,
        created_at: createdAt,
        used_at: usedAt,
        expires_at: expiresAt,
        address,
        user_agent: userAgent,
      })
    },

    findByHash: (tokenHash) => findWhere({ token_hash: tokenHash }),
    find: (id) => findWhere({ id }),

    async list(userId) {
      const rows = await sessions().where({ user_id: userId }).orderBy('used_at', 'desc').orderBy('id')
      return rows.map(toSession)
    },

    async touch(id, now) {
      await sessions().where({ id }).update({ used_at: now })
    },

    async replaceToken(id, tokenHash) {
      await sessions().where({ id }).update({ token_hash: tokenHash })
    },

    async delete(userId, id) {
      return (await sessions().where({ id, user_id: userId }).delete()) > 0
    },

    async deleteOthers(userId, except) {
      const ids = await sessions()
        .where({ user_id: userId })
        .whereNot('id', except ?? '')
        .pluck('id')
      await sessions().whereIn('id', ids).delete()
      return ids
    },

    async deleteBeyond(userId, count) {
      const retained = sessions()
        .where({ user_id: userId })
        .orderBy('used_at', 'desc')
        .orderBy('id')
        .limit(count)
        .select('id')
      await sessions().where({ user_id: userId }).whereNotIn('id', retained).delete()
    },

    async deleteAll() {
      await sessions().delete()
    },

    async prune(now) {
      const ended = sessions().where('expires_at', '<=', now).limit(PRUNED).select('id')
      return (await sessions().whereIn('id', ended).delete()) === PRUNED
    },
  }

  async function findWhere(condition: Partial<SessionRow>): Promise<FoundSession | null> {
    const row = await sessions().where(condition).first()
    if (row === undefined) return null
    const user = await db<UserRow>('users').where({ id: row.user_id }).first()
    return user === undefined ? null : { session: toSession(row), user: toUser(user) }
  }
}

function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    userId: row.user_id,
    createdAt: row.created_at,
    usedAt: row.used_at,
    expiresAt: row.expires_at,
    address: row.address,
    userAgent: row.user_agent,
  }
}

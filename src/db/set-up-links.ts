import type { Knex } from 'knex'
import type { UserId } from '../domain/ids.ts'
import type { SetUpLink, SetUpLinkRepository } from './repositories/sessions.ts'
import { toUser, type UserRow } from './user-rows.ts'

interface LinkRow {
  readonly user_id: UserId
  readonly token_hash: string
  readonly created_at: string
  readonly expires_at: string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createSetUpLinkRepository(db: Knex): SetUpLinkRepository {
  const links = () => db<LinkRow>('set_up_links')

  return {
    async put({ userId, createdAt, expiresAt }, tokenHash) {
      await links()
        .insert({ user_id: userId, token_hash: tokenHash, created_at: createdAt, expires_at: expiresAt })
        .onConflict('user_id')
        .merge()
    },

    async ofUser(userId, now) {
      const row = await links().where({ user_id: userId }).where('expires_at', '>', now).first()
      return row === undefined ? null : toLink(row)
    },

    async findByHash(tokenHash, now) {
      const row = await links().where({ token_hash: tokenHash }).where('expires_at', '>', now).first()
      if (row === undefined) return null
      const user = await db<UserRow>('users').where({ id: row.user_id }).first()
      return user === undefined ? null : { link: toLink(row), user: toUser(user) }
    },

    async take(tokenHash) {
      return (await links().where({ token_hash: tokenHash }).delete()) > 0
    },

    async deleteAll() {
      await links().delete()
    },

    async prune(now) {
      await links().where('expires_at', '<=', now).delete()
    },
  }
}

function toLink(row: LinkRow): SetUpLink {
  return { userId: row.user_id, createdAt: row.created_at, expiresAt: row.expires_at }
}

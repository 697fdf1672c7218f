import type { Knex } from 'knex'
import { ServiceError } from '../domain/errors.ts'
import type { PasskeyId, UserId } from '../domain/ids.ts'
import { isUniqueViolation } from './errors.ts'
import type { Passkey, PasskeyRepository } from './repositories/passkeys.ts'

interface PasskeyRow {
  readonly id: PasskeyId
  readonly user_id: UserId
  readonly credential_id: string
  readonly public_key: string
  /** A text in PostgreSQL. */
  readonly counter: number | string
  readonly name: string
  readonly created_at: string
  readonly used_at: string | null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createPasskeyRepository(db: Knex): PasskeyRepository {
  const passkeys = () => db<PasskeyRow>('passkeys')

  return {
    async insert({ id, userId, credentialId, publicKey, counter, name, createdAt, usedAt }) {
      try {
        await passkeys().insert({
          id,
          user_id: userId,
          credential_id: credentialId,
          public_key: publicKey,
          counter,
          name,
          created_at: createdAt,
          used_at: usedAt,
        })
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw new ServiceError('conflict', 'This passkey was added already.', { cause: error })
      }
    },

    async findByCredential(credentialId) {
      const row = await passkeys().where({ credential_id: credentialId }).first()
      return row === undefined ? null : toPasskey(row)
    },

    async list(userId) {
      const rows = await passkeys().where({ user_id: userId }).orderBy('created_at').orderBy('id')
      return rows.map(toPasskey)
    },

    async rename(userId, id, name) {
      return (await passkeys().where({ user_id: userId, id }).update({ name })) > 0
    },

    async delete(userId, id) {
      return (await passkeys().where({ user_id: userId, id }).delete()) > 0
    },

    async recordUse(id, { counter, usedAt }) {
      await passkeys().where({ id }).update({ counter, used_at: usedAt })
    },

    async useChallenge(challenge, expiresAt) {
      const row = { challenge, expires_at: expiresAt }
      const added = await db('used_challenges')
        .insert(row)
        .onConflict('challenge')
        .ignore()
        .returning('challenge')
      return added.length > 0
    },

    async pruneChallenges(now) {
      await db('used_challenges').where('expires_at', '<=', now).delete()
    },
  }
}

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    name: row.name,
    createdAt: row.created_at,
    usedAt: row.used_at,
  }
}

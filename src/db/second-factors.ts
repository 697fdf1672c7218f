import type { Knex } from 'knex'
import type { UserId } from '../domain/ids.ts'
import type { SecondFactor, SecondFactorRepository } from './repositories/second-factors.ts'

interface FactorRow {
  readonly user_id: UserId
  readonly secret: string
  readonly master_key_id: string
  readonly created_at: string
  readonly enabled_at: string | null
  /** A text in PostgreSQL. */
  readonly last_step: number | string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createSecondFactorRepository(db: Knex): SecondFactorRepository {
  const factors = () => db<FactorRow>('second_factors')
  const codes = () => db('recovery_codes')

  return {
    async find(userId) {
      const row = await factors().where({ user_id: userId }).first()
      return row === undefined ? null : toFactor(row)
    },

    async put({ userId, sealed, masterKeyId, createdAt, enabledAt, lastStep }) {
      const row = {
        user_id: userId,
        secret: sealed,
        master_key_id: masterKeyId,
        created_at: createdAt,
        enabled_at: enabledAt,
        last_step: lastStep,
      }
      await factors().insert(row).onConflict('user_id').merge()
    },

    async useStep(userId, step) {
      const used = await factors()
        .where({ user_id: userId })
        .where('last_step', '<', step)
        .update({ last_step: step })
      return used > 0
    },

    async delete(userId) {
      await codes().where({ user_id: userId }).delete()
      return (await factors().where({ user_id: userId }).delete()) > 0
    },

    async setRecoveryCodes(userId, hashes) {
      await codes().where({ user_id: userId }).delete()
      await codes().insert(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    },

    async countRecoveryCodes(userId) {
      const row = await codes()
        .where({ user_id: userId })
        .count({ total: '*' })
        .first<{ readonly total: number | string }>()
      return Number(row.total)
    },

    async useRecoveryCode(userId, hash) {
      return (await codes().where({ user_id: userId, code_hash: hash }).delete()) > 0
    },

    async findSealedByOther(masterKeyId, limit) {
      const rows = await factors().whereNot({ master_key_id: masterKeyId }).orderBy('user_id').limit(limit)
      return rows.map(toFactor)
    },

    async reseal({ userId, sealed }, resealed) {
      await factors()
        .where({ user_id: userId, secret: sealed })
        .update({ secret: resealed.sealed, master_key_id: resealed.masterKeyId })
    },
  }
}

function toFactor(row: FactorRow): SecondFactor {
  return {
    userId: row.user_id,
    sealed: row.secret,
    masterKeyId: row.master_key_id,
    createdAt: row.created_at,
    enabledAt: row.enabled_at,
    lastStep: Number(row.last_step),
  }
}

import type { Knex } from 'knex'
import type { SessionId } from '../domain/ids.ts'
import type { SignInAttemptRepository } from './repositories/sessions.ts'

/** Rows deleted per call. */
const PRUNED = 500

interface AttemptRow {
  readonly id: SessionId
  readonly account_hash: string
  readonly address: string
  readonly attempted_at: string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createSignInAttemptRepository(db: Knex): SignInAttemptRepository {
  const attempts = () => db<AttemptRow>('sign_in_attempts')

  return {
    async insert({ id, accountHash, address, attemptedAt }) {
      await attempts().insert({ id, account_hash: accountHash, address, attempted_at: attemptedAt })
    },

    async delete(id) {
      await attempts().where({ id }).delete()
    },

    async deleteOf(accountHash) {
      await attempts().where({ account_hash: accountHash }).delete()
    },

    async nthNewest(subject, nth, after) {
      const row = await attempts()
        .where('accountHash' in subject ? { account_hash: subject.accountHash } : subject)
        .where('attempted_at', '>', after)
        .orderBy('attempted_at', 'desc')
        .offset(nth - 1)
        .first('attempted_at')
      return row?.attempted_at ?? null
    },

    async prune(until) {
      const old = attempts().where('attempted_at', '<=', until).limit(PRUNED).select('id')
      return (await attempts().whereIn('id', old).delete()) === PRUNED
    },
  }
}

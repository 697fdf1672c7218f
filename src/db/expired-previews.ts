import type { Knex } from 'knex'
import type { ExpiredPreviewRepository } from './repositories/expired-previews.ts'

/** Rows deleted per call. */
const PRUNED = 500

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createExpiredPreviewRepository(db: Knex): ExpiredPreviewRepository {
  const previews = () => db('expired_previews')

  return {
    async has(digest) {
      return (await previews().where({ digest }).first('digest')) !== undefined
    },

    async add(digest, expiresAt) {
      const added = await previews()
        .insert({ digest, expires_at: expiresAt })
        .onConflict('digest')
        .ignore()
        .returning('digest')
      return added.length > 0
    },

    async prune(until) {
      const old = previews().where('expires_at', '<=', until).limit(PRUNED).select('digest')
      return (await previews().whereIn('digest', old).delete()) === PRUNED
    },
  }
}

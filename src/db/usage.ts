import type { Knex } from 'knex'
import type { UsageRepository } from './repositories/usage.ts'

/** Rows per insert; SQLite accepts at most 500. */
const ROWS_PER_STATEMENT = 200

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createUsageRepository(db: Knex): UsageRepository {
  return {
    async requests({ keyId, month }) {
      const row = await db('usage_months')
        .where({ key_id: keyId, month })
        .first<{ requests: number } | undefined>('requests')
      return row?.requests ?? 0
    },

    async add(usages) {
      const rows = usages.map(({ keyId, month, requests }) => ({ key_id: keyId, month, requests }))
      for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
        await db('usage_months')
          .insert(rows.slice(start, start + ROWS_PER_STATEMENT))
          .onConflict(['key_id', 'month'])
          .merge({ requests: db.raw('usage_months.requests + excluded.requests') })
      }
    },
  }
}

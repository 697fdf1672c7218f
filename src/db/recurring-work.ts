import type { Knex } from 'knex'
import type { RecurringWorkRepository } from './repositories/recurring-work.ts'

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createRecurringWorkRepository(db: Knex): RecurringWorkRepository {
  return {
    async begin(name, now, nextAt) {
      const begun = await db('recurring_work')
        .insert({ name, due_at: nextAt })
        .onConflict('name')
        .merge(['due_at'])
        // A time further ahead was set by a wrong clock.
        .where((due) =>
          due.where('recurring_work.due_at', '<=', now).orWhere('recurring_work.due_at', '>', nextAt),
        )
        .returning('name')
      return begun.length > 0
    },
  }
}

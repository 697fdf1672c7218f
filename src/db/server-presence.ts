import type { Knex } from 'knex'

/** Interval at which a running server says that it runs. */
export const PRESENCE_MS = 10_000
/** Time after which a server that said nothing was killed. */
const GONE_MS = 3 * PRESENCE_MS

/** Running servers of this database, so that no command of another version migrates it under them. */
export interface ServerPresence {
  /** Call it at the start, and every `PRESENCE_MS`. */
  announce(id: string, now: string): Promise<void>
  withdraw(id: string): Promise<void>
}

export function createServerPresence(db: Knex): ServerPresence {
  return {
    async announce(id, now) {
      await db('servers').insert({ id, seen_at: now }).onConflict('id').merge()
    },

    async withdraw(id) {
      await db('servers').where({ id }).delete()
    },
  }
}

/** Whether a server ran on the database within the last half minute. */
export async function isServed(db: Knex, now: string): Promise<boolean> {
  return (await db.schema.hasTable('servers')) && (await countServers(db, now)) > 0
}

/** The servers that ran on the database within the last half minute. */
export async function countServers(db: Knex, now: string): Promise<number> {
  const since = new Date(Date.parse(now) - GONE_MS).toISOString()
  const count = await db('servers').where('seen_at', '>', since).count({ total: '*' }).first()
  return Number(count?.['total'])
}

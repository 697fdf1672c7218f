import type { Knex } from 'knex'
import { databaseTime, rowsOf } from './dialect.ts'

/** Interval at which a running server reports itself. */
export const PRESENCE_MS = 10_000
/** Time after which a server without a report was killed. */
const GONE_MS = 3 * PRESENCE_MS

/** A process that runs on the database. */
export interface RunningServer {
  /** Machine that it runs on. This and the others are null for a version that did not record them. */
  readonly machine: string | null
  readonly role: string | null
  /** Values compared with those of other processes, by setting. */
  readonly settings: Readonly<Record<string, string>> | null
}

/** Running servers of this database, so that no command of another version migrates it under them. Times are those of the database. */
export interface ServerPresence {
  /** Call it at the start, and every `PRESENCE_MS`. @returns the time of the database, ISO 8601 UTC. */
  announce(id: string, server: RunningServer): Promise<string>
  withdraw(id: string): Promise<void>
  /** Forgets all servers, none of which runs on this copy of their database. */
  withdrawAll(): Promise<void>
  /** The servers that ran within the last half minute, but for this one. */
  others(id: string): Promise<readonly (RunningServer & { readonly id: string })[]>
}

export function createServerPresence(db: Knex): ServerPresence {
  return {
    async announce(id, { machine, role, settings }) {
      const row = { id, machine, role, settings: JSON.stringify(settings), seen_at: db.raw(databaseTime(db)) }
      const [written] = await db('servers').insert(row).onConflict('id').merge().returning('seen_at')
      return written.seen_at
    },

    async withdraw(id) {
      await db('servers').where({ id }).delete()
    },

    async withdrawAll() {
      await db('servers').delete()
    },

    async others(id) {
      const rows = await db('servers')
        .where('seen_at', '>', await halfMinuteAgo(db))
        .whereNot({ id })
        .select('id', 'machine', 'role', 'settings')
      return rows.map(({ settings, ...server }) => ({
        ...server,
        settings: settings === null ? null : JSON.parse(settings),
      }))
    },
  }
}

/** Reports whether a server ran on the database within the last half minute. */
export async function isServed(db: Knex): Promise<boolean> {
  return (await db.schema.hasTable('servers')) && (await countServers(db)) > 0
}

/** The servers that ran on the database within the last half minute. */
export async function countServers(db: Knex): Promise<number> {
  const count = await db('servers')
    .where('seen_at', '>', await halfMinuteAgo(db))
    .count({ total: '*' })
    .first()
  return Number(count?.['total'])
}

async function halfMinuteAgo(db: Knex): Promise<string> {
  const [row] = rowsOf<{ readonly now: string }>(await db.raw(`SELECT ${databaseTime(db)} AS now`))
  return new Date(Date.parse(row?.now ?? '') - GONE_MS).toISOString()
}

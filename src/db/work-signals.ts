import type { Knex } from 'knex'
import pg from 'pg'
import { sleep } from '../platform/sleep.ts'
import { isPostgres } from './dialect.ts'

/** Pause before a lost connection is replaced. */
const RECONNECT_MS = 1_000

/** The topic of jobs. Others are ids of projects that have a release to publish. */
export const JOBS = 'jobs'

/**
 * Hints for other processes that there is work. A pooler may lose them, so workers also look for work by
 * themselves.
 */
export interface WorkSignals {
  /** Sends a topic soon, once however often it is called meanwhile. */
  send(topic: string): void
  /** Calls the function with each topic that is sent from now on. */
  listen(onTopic: (topic: string) => void): void
  close(): Promise<void>
}

/** Signals through the NOTIFY of PostgreSQL; none on SQLite. */
export function createWorkSignals(
  db: Knex,
  directUrl: string | null,
  onFailure: (error: unknown) => void,
): WorkSignals {
  if (!isPostgres(db) || directUrl === null) return { send() {}, listen() {}, async close() {} }
  const waiting = new Set<string>()
  const closing = new AbortController()
  let sending: Promise<void> | null = null
  let listening = Promise.resolve()

  return {
    send(topic) {
      waiting.add(topic)
      sending ??= sendWaiting()
    },

    listen(onTopic) {
      listening = listenUntilClosed(onTopic)
    },

    async close() {
      closing.abort()
      await Promise.all([sending, listening])
    },
  }

  /**
   * One statement at a time, outside of other transactions: PostgreSQL commits transactions that notify one after the
   * other.
   */
  async function sendWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const topics = [...waiting]
      waiting.clear()
      await db
        .raw(`SELECT pg_notify(${CHANNEL}, topic) FROM unnest(?::text[]) AS topic`, [topics])
        .catch(onFailure)
    }
    // Right after the last look: a topic that comes in between would wait for the next one.
    sending = null
  }

  async function listenUntilClosed(onTopic: (topic: string) => void): Promise<void> {
    while (!closing.signal.aborted) {
      await listenOnce(onTopic).catch(onFailure)
      await sleep(RECONNECT_MS, closing.signal)
    }
  }

  /** Resolves when the connection has ended. */
  async function listenOnce(onTopic: (topic: string) => void): Promise<void> {
    const client = new pg.Client({
      connectionString: directUrl ?? '',
      keepAlive: true,
      application_name: 'quoin',
    })
    let stop = () => {}
    const ended = new Promise<void>((resolve) => {
      stop = resolve
      client.once('end', resolve)
    })
    // Without a listener, an error ends the process. The end of the connection follows.
    client.on('error', onFailure)
    closing.signal.addEventListener('abort', stop, { once: true })
    try {
      await client.connect()
      client.on('notification', ({ payload }) => onTopic(payload ?? ''))
      const { rows } = await client.query<{ channel: string }>(`SELECT ${CHANNEL} AS channel`)
      await client.query(`LISTEN ${client.escapeIdentifier(rows[0]?.channel ?? '')}`)
      await ended
    } finally {
      closing.signal.removeEventListener('abort', stop)
      await client.end()
    }
  }
}

/** Installations may share a database, each in a schema of its own. */
const CHANNEL = "left('quoin_' || current_schema(), 63)"

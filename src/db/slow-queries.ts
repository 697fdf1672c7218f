import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'

/** Queries that take longer are reported. */
const SLOW_MS = 1_000
/** Queries that are timed at once: far more than there are connections. One whose connection is lost may never end. */
const MAX_RUNNING = 1_000
/** Length of a query's text that is reported. */
const MAX_TEXT = 500

interface Query {
  readonly sql: string
  readonly __knexQueryUid: string
}

/** A query as a log line has it: without its values, which are content and secrets of accounts. */
export interface SlowQuery {
  readonly sql: string
  readonly ms: number
}

/** Reports queries of a connection that take longer than a second, including queries of transactions. */
export function watchQueries(
  connection: Knex,
  monotonic: () => number,
  onSlow: (query: SlowQuery) => void,
): void {
  const started = new LRUCache<string, number>({ max: MAX_RUNNING })
  connection.on('query', ({ __knexQueryUid: id }: Query) => started.set(id, monotonic()))
  connection.on('query-response', (_, query: Query) => end(query))
  connection.on('query-error', (_, query: Query) => end(query))

  function end({ __knexQueryUid: id, sql }: Query): void {
    const ms = Math.round(monotonic() - (started.get(id) ?? monotonic()))
    started.delete(id)
    if (ms >= SLOW_MS) onSlow({ sql: sql.slice(0, MAX_TEXT), ms })
  }
}

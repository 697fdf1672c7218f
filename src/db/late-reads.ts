import type { Knex } from 'knex'
import { rowsOf } from './dialect.ts'
import { isConflict, isLost } from './postgres-errors.ts'

/** Age of the changes that a replica must have to be read. */
const LATE_MS = 30_000
/** Between two comparisons of the replica with the server. */
const COMPARE_MS = 5_000

/** Runs a read that may miss the last half minute of changes. It may run twice. */
export type LateReads = <Result>(read: (db: Knex) => Promise<Result>) => Promise<Result>

/**
 * Sends reads to a replica while it works and has the changes of half a minute ago, and otherwise to the server.
 * Positions in the log of changes are compared, not clocks. No read waits for a comparison, so the first ones, and
 * those after a failure of the replica, go to the server.
 */
export function readsOfReplica(replica: Knex, reader: Knex): LateReads {
  let isUsable = false
  let comparedAt = Number.NEGATIVE_INFINITY
  let earlier: { readonly position: string; readonly at: number } | null = null

  return async (read) => {
    compareSometimes()
    if (!isUsable) return read(reader)
    try {
      return await read(replica)
    } catch (error) {
      // Lost, or ended so that the replica could apply a change.
      if (!isLost(error) && !isConflict(error)) throw error
      isUsable = false
      return read(reader)
    }
  }

  function compareSometimes(): void {
    if (performance.now() - comparedAt < COMPARE_MS) return
    comparedAt = performance.now()
    compare().then(
      (result) => (isUsable = result),
      () => (isUsable = false),
    )
  }

  async function compare(): Promise<boolean> {
    const at = performance.now()
    const position = await positionOf(reader, 'pg_current_wal_lsn()')
    const wanted = earlier !== null && at - earlier.at < LATE_MS ? earlier.position : position
    earlier = { position: position ?? '', at }
    // The position is null on a server that is no replica, such as a promoted one.
    const reached = await positionOf(replica, 'pg_last_wal_replay_lsn()')
    const [row] = rowsOf<{ readonly is_there: boolean | null }>(
      await reader.raw('SELECT ?::pg_lsn >= ?::pg_lsn AS is_there', [reached, wanted]),
    )
    return row?.is_there === true
  }
}

/** A position in the log of changes. */
async function positionOf(db: Knex, position: string): Promise<string | null> {
  const [row] = rowsOf<{ readonly position: string | null }>(
    await db.raw(`SELECT (${position})::text AS position`),
  )
  return row?.position ?? null
}

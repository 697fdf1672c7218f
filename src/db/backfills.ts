import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Connections } from './connections.ts'
import { isPostgres } from './dialect.ts'

/** Between two batches, so that other writes get through. */
const PAUSE_MS = 100
/** After a failure. */
const RETRY_MS = 60_000

/**
 * A change of existing rows, for which a migration would hold its locks too long. Versions that run beside it write new
 * rows as they shall be, and read both. The next version may rely on all of them: its migration first calls `step` until
 * the end, for installations that skipped this version or stopped early.
 */
export interface Backfill {
  /** Never changes once it was released. */
  readonly name: string
  /**
   * Changes the rows of the next batch, in a transaction of less than a second.
   *
   * @param after where the previous batch ended; null for the first one.
   */
  step(trx: Knex, after: string | null): Promise<Batch>
}

export interface Batch {
  /** Rows that were looked at. */
  readonly examined: number
  /** Where the next batch starts; null at the end. */
  readonly reached: string | null
}

/** Rows of a batch of `pageCreators`. */
const PAGES = 500

/**
 * Names the owner of the project as the creator of pages from before there were members, when no one else could create
 * any. Without it they would lose their creator when the project changes its owner.
 */
const pageCreators: Backfill = {
  name: 'page-creators',

  async step(trx, after) {
    const ids = await trx('pages')
      .where('id', '>', after ?? '')
      .orderBy('id')
      .limit(PAGES)
      .pluck<string[]>('id')
    const owner = trx('projects').where('projects.id', trx.ref('pages.project_id')).select('user_id')
    await trx('pages').whereIn('id', ids).whereNull('created_by').update({ created_by: owner })
    return { examined: ids.length, reached: ids.length < PAGES ? null : (ids.at(-1) ?? null) }
  },
}

/** In order. One may rely on those before it. */
const BACKFILLS: readonly Backfill[] = [pageCreators]

export interface BackfillState {
  readonly name: string
  readonly examined: number
  /** ISO 8601 UTC; null while it goes on. */
  readonly finishedAt: string | null
}

export interface BackfillPorts {
  readonly connections: Pick<Connections, 'transact' | 'reader'>
  readonly backfills?: readonly Backfill[]
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly log: {
    info(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}

/**
 * Runs all backfills to their end, once over all processes: each batch and how far it came are one transaction, which
 * holds the row of the backfill, so any number of processes may run this at a time, and each may end anywhere.
 *
 * @param stopping ends it after the batch that runs.
 */
export async function runBackfills(ports: BackfillPorts, stopping: AbortSignal): Promise<void> {
  const { connections, backfills = BACKFILLS, log } = ports
  for (const backfill of backfills) {
    const { name } = backfill
    while (!stopping.aborted) {
      let waitMs = PAUSE_MS
      try {
        if (await isFinished(connections.reader, name)) break
        const ended = await runBatch(backfill, ports)
        // A new database has no rows of an earlier version.
        if (ended !== null && ended > 0) log.info({ backfill: name, rows: ended }, 'A backfill has ended.')
      } catch (error) {
        waitMs = RETRY_MS
        log.error({ err: error, backfill: name }, 'A backfill failed. It goes on in a minute.')
      }
      await pause(waitMs, undefined, { signal: stopping }).catch(() => {})
    }
  }
}

/** The backfills that have begun, in the order of their start. */
export async function backfillStates(db: Knex): Promise<readonly BackfillState[]> {
  const rows = await db('backfills').orderBy(['started_at', 'name']).select('name', 'examined', 'finished_at')
  return rows.map((row) => ({
    name: row.name,
    examined: Number(row.examined),
    finishedAt: row.finished_at,
  }))
}

async function isFinished(db: Knex, name: string): Promise<boolean> {
  return (await db('backfills').where({ name }).whereNotNull('finished_at').first('name')) !== undefined
}

/** @returns the rows of the whole backfill when this batch was its last one; otherwise null. */
function runBatch(
  { name, step }: Backfill,
  { connections, now }: Pick<BackfillPorts, 'connections' | 'now'>,
): Promise<number | null> {
  return connections.transact(async (trx) => {
    await trx('backfills').insert({ name, examined: 0, started_at: now() }).onConflict('name').ignore()
    const row = trx('backfills').where({ name, finished_at: null }).first('reached', 'examined')
    // Another process does this batch.
    const own = await (isPostgres(trx) ? row.forUpdate().skipLocked() : row)
    if (own === undefined) return null
    const { examined, reached } = await step(trx, own.reached)
    const total = Number(own.examined) + examined
    const finished_at = reached === null ? now() : null
    await trx('backfills').where({ name }).update({ reached, examined: total, finished_at })
    return reached === null ? total : null
  })
}

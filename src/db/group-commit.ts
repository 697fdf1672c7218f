import type { Knex } from 'knex'
import { UnavailableError } from '../domain/errors.ts'
import { leftToWait, ownAnswerTime } from '../platform/answer-time.ts'
import type { Transact } from './connections.ts'
import { isLocked, pauseWhileLocked, WRITE_DEADLINE_MS } from './write-lock.ts'

/** Maximum number of pieces of work per commit. All of them wait for the last one. */
const MAX_GROUP = 16

/**
 * Runs transactions on the writing connection in the order of their calls, with group commit: work that is waiting when
 * a transaction ends runs inside it before the commit, because syncing to disk takes as long for one as for many.
 *
 * While another process holds the write lock, all work waits, each piece until its own deadline, or until the deadline
 * of its request if that comes first.
 */
export function groupCommit(writer: Knex, startTimeoutMs = WRITE_DEADLINE_MS): Transact {
  const waiting = new Set<Work>()
  let isBusy = false

  return (work, timeoutMs = startTimeoutMs) =>
    new Promise((resolve, reject) => {
      const startTimeout = setTimeout(
        () => {
          waiting.delete(one)
          reject(startedTooLate(timeoutMs))
        },
        Math.min(timeoutMs, leftToWait()),
      )
      // The group runs in the time of the request that started it.
      const inOwnTime = ownAnswerTime()
      const one: Work = {
        async start(trx) {
          const result = await inOwnTime(() => work(trx))
          return () => resolve(result)
        },
        reject,
        startTimeout,
      }
      waiting.add(one)
      if (!isBusy) void runAll()
    })

  async function runAll(): Promise<void> {
    isBusy = true
    while (waiting.size > 0) await runGroup()
    isBusy = false
  }

  /** Removes work from the queue and cancels its start timeout. */
  function take(one: Work): void {
    waiting.delete(one)
    clearTimeout(one.startTimeout)
  }

  async function runGroup(): Promise<void> {
    const group: Work[] = []
    let hasStarted = false
    try {
      const ended = await writer.transaction(async (trx) => {
        hasStarted = true
        const ends: (() => void)[] = []
        for (const next of waiting) {
          if (group.length === MAX_GROUP) break
          take(next)
          group.push(next)
          const { isDone, end } = await runOne(trx, next, group.length === 1)
          ends.push(end)
          // Some SQLite errors roll back the whole transaction: then the commit fails, and no other work may follow.
          if (!isDone) break
        }
        return ends
      })
      for (const end of ended) end()
    } catch (error) {
      // Nothing has started: work leaves the queue at its own deadline.
      if (!hasStarted && isLocked(error)) return pauseWhileLocked()
      // The transaction could not start, and would not start for the other waiting work either.
      const others = hasStarted ? [] : [...waiting]
      for (const other of others) take(other)
      for (const { reject } of [...group, ...others]) reject(error)
    }
  }
}

interface Work {
  /** @returns a function that resolves the caller's promise; called after the commit. */
  readonly start: (trx: Knex.Transaction) => Promise<() => void>
  readonly reject: (error: unknown) => void
  readonly startTimeout: NodeJS.Timeout
}

/** Runs work, all but the first inside a savepoint, so that a failure rolls back only this work. */
async function runOne(
  trx: Knex.Transaction,
  { start, reject }: Work,
  isFirst: boolean,
): Promise<{ readonly isDone: boolean; readonly end: () => void }> {
  if (isFirst) return { isDone: true, end: await start(trx) }
  await trx.raw('SAVEPOINT work')
  try {
    return { isDone: true, end: await start(trx) }
  } catch (error) {
    await trx.raw('ROLLBACK TO work')
    return { isDone: false, end: () => reject(error) }
  }
}

/** Seconds after which a client may try again: the lock of another process, such as a migration, is held briefly. */
const RETRY_AFTER_S = 5

function startedTooLate(timeoutMs: number): UnavailableError {
  return new UnavailableError(
    `The database could not take the change within ${timeoutMs / 1000} s, because other writes hold it. Nothing was changed; try again.`,
    RETRY_AFTER_S,
  )
}

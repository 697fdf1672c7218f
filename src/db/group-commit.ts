import type { Knex } from 'knex'

/**
 * Runs work in a transaction; resolves once the transaction is on disk. The work may still be rolled back after it
 * ended, so it must have no effects outside of the database.
 *
 * @throws the error of the work; nothing of it is written then.
 */
export type Transact = <Result>(work: (trx: Knex.Transaction) => Promise<Result>) => Promise<Result>

/** Maximum number of pieces of work per commit. All of them wait for the last one. */
const MAX_GROUP = 16
/** How long work may wait to start. */
const START_TIMEOUT_MS = 30_000

/**
 * Runs transactions on the writing connection in the order of their calls, with group commit: work that is waiting
 * when a transaction ends runs inside it before the commit, because syncing to disk takes as long for one as for many.
 */
export function groupCommit(writer: Knex, startTimeoutMs = START_TIMEOUT_MS): Transact {
  const waiting = new Set<Work>()
  let isBusy = false

  return (work) =>
    new Promise((resolve, reject) => {
      const startTimeout = setTimeout(() => {
        waiting.delete(one)
        reject(new Error(`The database did not start the transaction within ${startTimeoutMs} ms.`))
      }, startTimeoutMs)
      const one: Work = {
        async start(trx) {
          const result = await work(trx)
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
    for (const first of waiting) {
      take(first)
      await runGroup(first)
    }
    isBusy = false
  }

  /** Removes work from the queue and cancels its start timeout. */
  function take(one: Work): void {
    waiting.delete(one)
    clearTimeout(one.startTimeout)
  }

  async function runGroup(first: Work): Promise<void> {
    const group = [first]
    let hasStarted = false
    try {
      const ended = await writer.transaction(async (trx) => {
        hasStarted = true
        const ends = [await first.start(trx)]
        for (const next of waiting) {
          if (group.length === MAX_GROUP) break
          take(next)
          group.push(next)
          const { isDone, end } = await inSavepoint(trx, next)
          ends.push(end)
          // Some SQLite errors roll back the whole transaction: then the commit fails, and no other work may follow.
          if (!isDone) break
        }
        return ends
      })
      for (const end of ended) end()
    } catch (error) {
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

/** Runs work inside a savepoint, so that a failure rolls back only this work. */
async function inSavepoint(
  trx: Knex.Transaction,
  { start, reject }: Work,
): Promise<{ readonly isDone: boolean; readonly end: () => void }> {
  await trx.raw('SAVEPOINT work')
  try {
    return { isDone: true, end: await start(trx) }
  } catch (error) {
    await trx.raw('ROLLBACK TO work')
    return { isDone: false, end: () => reject(error) }
  }
}

import type { Knex } from 'knex'

/**
 * Carries out work in a transaction; resolves once that is on the disk. The work may be undone after its
 * end, so it changes nothing but the database.
 *
 * @throws what the work throws, of which nothing is written then.
 */
export type Transact = <Result>(work: (trx: Knex.Transaction) => Promise<Result>) => Promise<Result>

/** Pieces of work that share a commit; the first of them is told as late as the last. */
const MOST_TOGETHER = 16
/** How long work waits to be begun. */
const PATIENCE_MS = 30_000

/**
 * Transactions of the one connection that writes, in the order in which they are asked for. Those that wait
 * when one comes to its end are carried out before it is committed, and go to the disk with it: that takes as
 * long for one as for all.
 */
export function groupCommit(writer: Knex, patienceMs = PATIENCE_MS): Transact {
  const waiting = new Set<Work>()
  let isBusy = false

  return (work) =>
    new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        waiting.delete(one)
        reject(new Error(`The database began nothing else within ${patienceMs} ms.`))
      }, patienceMs)
      const one: Work = {
        async begin(trx) {
          const result = await work(trx)
          return () => resolve(result)
        },
        reject,
        giveUp,
      }
      waiting.add(one)
      if (!isBusy) void carryOutAll()
    })

  async function carryOutAll(): Promise<void> {
    isBusy = true
    for (const first of waiting) {
      take(first)
      await carryOutTogether(first)
    }
    isBusy = false
  }

  /** From here on it is carried out, or has failed, and is not given up. */
  function take(one: Work): void {
    waiting.delete(one)
    clearTimeout(one.giveUp)
  }

  async function carryOutTogether(first: Work): Promise<void> {
    const together = [first]
    let hasBegun = false
    try {
      const ended = await writer.transaction(async (trx) => {
        hasBegun = true
        const ends = [await first.begin(trx)]
        for (const next of waiting) {
          if (together.length === MOST_TOGETHER) break
          take(next)
          together.push(next)
          const { isDone, end } = await within(trx, next)
          ends.push(end)
          // Some faults of SQLite undo the whole transaction: then the commit fails, and nothing follows.
          if (!isDone) break
        }
        return ends
      })
      for (const end of ended) end()
    } catch (error) {
      // Whoever else waits would wait as long, and as much in vain.
      const others = hasBegun ? [] : [...waiting]
      for (const other of others) take(other)
      for (const { reject } of [...together, ...others]) reject(error)
    }
  }
}

interface Work {
  /** @returns what tells who waits, once it is on the disk. */
  readonly begin: (trx: Knex.Transaction) => Promise<() => void>
  readonly reject: (error: unknown) => void
  readonly giveUp: NodeJS.Timeout
}

/** Work after other work, which stays when this one fails. */
async function within(
  trx: Knex.Transaction,
  { begin, reject }: Work,
): Promise<{ readonly isDone: boolean; readonly end: () => void }> {
  await trx.raw('SAVEPOINT work')
  try {
    return { isDone: true, end: await begin(trx) }
  } catch (error) {
    await trx.raw('ROLLBACK TO work')
    return { isDone: false, end: () => reject(error) }
  }
}

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

/**
 * Transactions of the one connection that writes, in the order in which they are asked for. Those that wait
 * when one comes to its end are carried out before it is committed, and go to the disk with it: that takes as
 * long for one as for all.
 */
export function groupCommit(writer: Knex): Transact {
  const waiting: Work[] = []
  let isBusy = false

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({
        begin: async (trx) => {
          const result = await work(trx)
          return () => resolve(result)
        },
        reject,
      })
      if (!isBusy) void carryOutAll()
    })

  async function carryOutAll(): Promise<void> {
    isBusy = true
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift())
      await carryOutTogether(first)
    isBusy = false
  }

  async function carryOutTogether(first: Work): Promise<void> {
    const together = [first]
    let hasBegun = false
    try {
      const ends = await writer.transaction(async (trx) => {
        hasBegun = true
        const ends = [await first.begin(trx)]
        for (let next = another(together); next !== undefined; next = another(together)) {
          const { isDone, end } = await within(trx, next)
          ends.push(end)
          // Some faults of SQLite undo the whole transaction: then the commit fails, and nothing follows.
          if (!isDone) break
        }
        return ends
      })
      for (const end of ends) end()
    } catch (error) {
      // Whoever else waits would wait as long, and as much in vain.
      const failed = hasBegun ? together : [...together, ...waiting.splice(0)]
      for (const { reject } of failed) reject(error)
    }
  }

  function another(together: Work[]): Work | undefined {
    const next = together.length < MOST_TOGETHER ? waiting.shift() : undefined
    if (next !== undefined) together.push(next)
    return next
  }
}

interface Work {
  /** @returns what tells who waits, once it is on the disk. */
  readonly begin: (trx: Knex.Transaction) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

/** Work after other work: when it fails, that stays. What was done well stays until the commit, under its savepoint. */
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

import type { Database, Repositories } from '../db/repositories.ts'

/** Each commit holds up whoever publishes meanwhile, so that one is made in this time at most. */
const BATCH_WINDOW_MS = 100
const MAX_BATCH = 32

/** Like `Database.write`, for what nobody waits for. */
export type BatchedWrite = <Result>(work: Work<Result>) => Promise<Result>

/** May be begun twice, so it changes nothing but what is in the repositories. */
type Work<Result> = (repositories: Repositories) => Promise<Result>

/**
 * Several pieces of work in one transaction. Where one of them fails, each is done by itself, so that
 * the others come to their end.
 */
export function createWriteBatcher({ write }: Pick<Database, 'write'>): BatchedWrite {
  let waiting: PendingWrite[] = []
  let isGathering = false

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push(pendingWrite(work, resolve, reject))
      if (!isGathering) gather()
    })

  function gather(): void {
    isGathering = true
    setTimeout(async () => {
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      await carryOut(batch)
      isGathering = false
      if (waiting.length > 0) gather()
    }, BATCH_WINDOW_MS)
  }

  async function carryOut(batch: readonly PendingWrite[]): Promise<void> {
    try {
      const ends = await write(async (repositories) => {
        const ends: (() => void)[] = []
        for (const { begin } of batch) ends.push(await begin(repositories))
        return ends
      })
      for (const end of ends) end()
    } catch {
      // Nothing of it was written. Whose fault it was, and of what kind, each finds out alone.
      for (const { begin, reject } of batch) await write(begin).then((end) => end(), reject)
    }
  }
}

interface PendingWrite {
  /** @returns what tells who waits, once it is written. */
  readonly begin: (repositories: Repositories) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

function pendingWrite<Result>(
  work: Work<Result>,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): PendingWrite {
  return {
    async begin(repositories) {
      const result = await work(repositories)
      return () => resolve(result)
    },
    reject,
  }
}

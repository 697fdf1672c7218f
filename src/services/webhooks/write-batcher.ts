import type { Database, Repositories } from '../../db/repositories.ts'

/** Shortest time between two commits: each one delays concurrent publishes. */
const BATCH_WINDOW_MS = 100
const MAX_BATCH = 32

/** Like `Database.write`, for work whose latency does not matter. */
export type BatchedWrite = <Result>(work: Work<Result>) => Promise<Result>

/** May run twice, so its only effects are those on the repositories. */
type Work<Result> = (repositories: Repositories) => Promise<Result>

/** Runs several writes in one transaction. When one of them fails, each runs in a transaction of its own. */
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
      // Nothing was written. A transaction for each shows which of them fails, and how.
      for (const { begin, reject } of batch) await write(begin).then((end) => end(), reject)
    }
  }
}

interface PendingWrite {
  /** @returns a function that resolves the caller's promise; called after the commit. */
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

import { untilAborted } from './concurrency.ts'
import { createFairQueue, type Owner } from './fair-queue.ts'

/** Runs work when its owner's turn comes, with limits on what runs concurrently. */
export type FairLimit = <Result>(
  owner: Owner,
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>

interface Waiting {
  readonly signal: AbortSignal | undefined
  start(): void
}

/**
 * Creates a limit in which owners take turns. Owners without running work come first. Work whose signal is aborted before
 * its turn is not started, and rejects at once.
 *
 * @param limits.total work that runs concurrently.
 * @param limits.perAccount work of one account that does; less than `total`, so that others need not wait for its end.
 */
export function createFairLimit({
  total,
  perAccount,
}: {
  readonly total: number
  readonly perAccount: number
}): FairLimit {
  const queue = createFairQueue<Waiting>()
  const running = new Map<Owner['account'], number>()
  let sum = 0

  return async (owner, work, signal) => {
    let isStarted = false
    const turn = new Promise<void>((resolve) => {
      const start = () => {
        isStarted = true
        resolve()
      }
      queue.push(owner, { signal, start })
    })
    startNext()
    try {
      await untilAborted(turn, signal)
      return await work()
    } finally {
      if (isStarted) count(owner, -1)
      startNext()
    }
  }

  function startNext(): void {
    while (sum < total) {
      const next =
        queue.take(({ account }) => !running.has(account)) ??
        queue.take(({ account }) => (running.get(account) ?? 0) < perAccount)
      if (next === null) return
      if (next.work.signal?.aborted) continue
      count(next.owner, 1)
      next.work.start()
    }
  }

  function count({ account }: Owner, change: 1 | -1): void {
    sum += change
    const own = (running.get(account) ?? 0) + change
    if (own === 0) running.delete(account)
    else running.set(account, own)
  }
}

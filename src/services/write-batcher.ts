import type { Database, Repositories } from '../db/repositories.ts'

/** Each commit holds up whoever publishes meanwhile, so that one is made in this time at most. */
const GATHER_MS = 100
const MOST_AT_ONCE = 32

/** Like `Database.write`, for what nobody waits for. */
export type GatheredWrite = <Result>(work: Work<Result>) => Promise<Result>

/** May be begun twice, so it changes nothing but what is in the repositories. */
type Work<Result> = (repositories: Repositories) => Promise<Result>

/**
 * Several pieces of work in one transaction. Where one of them fails, each is done by itself, so that
 * the others come to their end.
 */
export function gatherWrites({ write }: Pick<Database, 'write'>): GatheredWrite {
  let waiting: Waiting[] = []
  let isGathering = false

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push(waitingFor(work, resolve, reject))
      if (!isGathering) gather()
    })

  function gather(): void {
    isGathering = true
    setTimeout(async () => {
      const batch = waiting.slice(0, MOST_AT_ONCE)
      waiting = waiting.slice(MOST_AT_ONCE)
      await carryOut(batch)
      isGathering = false
      if (waiting.length > 0) gather()
    }, GATHER_MS)
  }

  async function carryOut(batch: readonly Waiting[]): Promise<void> {
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

interface Waiting {
  /** @returns what tells who waits, once it is written. */
  readonly begin: (repositories: Repositories) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

function waitingFor<Result>(
  work: Work<Result>,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): Waiting {
  return {
    async begin(repositories) {
      const result = await work(repositories)
      return () => resolve(result)
    },
    reject,
  }
}

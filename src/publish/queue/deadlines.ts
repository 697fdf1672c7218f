import type { ReleaseId } from '../../domain/ids.ts'
import type { CallOff, Timers } from '../../domain/timers.ts'
import type { Storage } from '../../storage/storage.ts'
import { withStallTimeout } from './stall-timeout.ts'

/** How long whoever asked for a release is left waiting; an answer is due within 15 s. */
const DEADLINE_MS = 12_000
/** What a batch may take at the least, however long a release in it has waited for its turn. */
const LEAST_MS = 2_000
const AGAIN_MS = 200

export interface DeadlinePorts {
  readonly timers: Timers
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly storage: Storage
  /** End a release that still waits for its turn. False when its turn has come; errors count as that. */
  readonly refuse: (id: ReleaseId) => Promise<boolean>
}

/**
 * One deadline for each release that somebody waits for, over its time in the queue and every stage
 * and attempt of its upload. Whatever is done on the store, waited for or not, is called off when the
 * store ends none of its calls for a minute.
 */
export interface Deadlines {
  /** When time is over the release is refused, if it still waits, or the batch that carries it called off. */
  watch(id: ReleaseId): CallOff
  /**
   * Do work on the store.
   *
   * @param releases that it carries: it is called off when one of them has no time left.
   * @param work with the store for it, every call of which is aborted when time is over.
   */
  within<T>(releases: readonly ReleaseId[], work: (storage: Storage) => Promise<T>): Promise<T>
}

interface Batch {
  readonly began: number
  readonly controller: AbortController
}

export function createDeadlines({ timers, monotonic, storage, refuse }: DeadlinePorts): Deadlines {
  const underWay = new Map<ReleaseId, Batch>()

  return {
    watch(id) {
      let callOff: CallOff = () => {}
      let watching = true
      const lookIn = (ms: number) => {
        callOff = timers.after(ms, async () => {
          if (!(await isEnded(id)) && watching) lookIn(AGAIN_MS)
        })
      }
      lookIn(DEADLINE_MS)
      return () => {
        watching = false
        callOff()
      }
    },

    async within(releases, work) {
      const batch = { began: monotonic(), controller: new AbortController() }
      for (const id of releases) underWay.set(id, batch)
      try {
        return await work(withStallTimeout(storage, batch.controller, timers))
      } finally {
        for (const id of releases) underWay.delete(id)
      }
    },
  }

  async function isEnded(id: ReleaseId): Promise<boolean> {
    const batch = underWay.get(id)
    if (batch === undefined) return refuse(id)
    if (monotonic() - batch.began < LEAST_MS) return false
    batch.controller.abort(new Error(`The ${DEADLINE_MS / 1000} s that a publish may take are over.`))
    return true
  }
}

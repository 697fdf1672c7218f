import { Worker } from 'node:worker_threads'

/** What the thread is started with: the folder that was built into. What it tells is whether that is as it was left. */
export interface AskedBeside {
  readonly out: string
}

/** By itself V8 takes eight times as much for what is new, and the system as long again to hand it out. */
const YOUNG_MB = 6

/**
 * Looks at what was built in a thread of its own, while this one looks at what it is built of.
 *
 * @param entry the compiled `look-thread.js`.
 * @returns whether it is as the last build left it; null where the thread could not look.
 */
export function lookBeside(out: string, entry: string): Promise<boolean | null> {
  return new Promise((resolve) => {
    try {
      const thread = new Worker(entry, {
        workerData: { out } satisfies AskedBeside,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      })
      thread.on('message', (isAsLeft: boolean) => resolve(isAsLeft))
      thread.on('error', () => resolve(null))
      thread.on('exit', () => resolve(null))
    } catch {
      // Not every process may start one.
      resolve(null)
    }
  })
}

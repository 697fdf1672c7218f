import { setTimeout } from 'node:timers/promises'

/** Resolves after a time, in ms, or as soon as `signal` aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

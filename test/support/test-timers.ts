import type { Timers } from '../../src/domain/timers.ts'

export interface TestTimers extends Timers {
  /** Milliseconds that have passed. */
  now(): number
}

/**
 * Time that passes only while somebody sleeps, and then from one moment that is due to the next, a
 * turn of the event loop each. What waits for `after` alone waits until then.
 */
export function createTestTimers(): TestTimers {
  const due = new Set<{ readonly at: number; readonly act: () => void }>()
  let now = 0
  let sleepers = 0
  let running = false

  return { now: () => now, after, sleep }

  function after(ms: number, act: () => void): () => void {
    const timer = { at: now + ms, act }
    due.add(timer)
    return () => due.delete(timer)
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      sleepers += 1
      const end = (how: () => void) => {
        sleepers -= 1
        callOff()
        signal?.removeEventListener('abort', wake)
        how()
      }
      const callOff = after(ms, () => end(resolve))
      const wake = () => end(() => reject(signal?.reason))
      signal?.addEventListener('abort', wake)
      run()
    })
  }

  function run(): void {
    if (running) return
    running = true
    setImmediate(pass)
  }

  function pass(): void {
    running = false
    const [next] = [...due].filter(({ at }) => at < Number.POSITIVE_INFINITY).sort((a, b) => a.at - b.at)
    if (sleepers === 0 || next === undefined) return
    due.delete(next)
    now = Math.max(now, next.at)
    next.act()
    run()
  }
}

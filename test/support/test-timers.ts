import type { Timers } from '../../src/domain/timers.ts'

export interface TestTimers extends Timers {
  /** Elapsed milliseconds. */
  now(): number
  /** Stops time until the returned function is called. */
  hold(): () => void
}

/** Wraps a port so that no time passes during its calls, since the duration of a database call does not count. */
export function timeless<Port extends object>(port: Port, timers: TestTimers): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member === 'object' && member !== null) return timeless(member, timers)
      if (typeof member !== 'function') return member
      return (...args: readonly unknown[]) => {
        const letPass = timers.hold()
        return Promise.resolve(member.apply(target, args)).finally(letPass)
      }
    },
  })
}

/** Turns of the event loop between two due times, so that the work of the first one can run. */
const TURNS = 10

/**
 * A simulated clock. Time passes only while a task sleeps, from one due time to the next, with some turns of the
 * event loop in between. A task that waits with `after` alone does not advance the clock. No time passes while due
 * work runs, including the promise that it returns.
 */
export function createTestTimers(): TestTimers {
  const due = new Set<{ readonly at: number; readonly act: () => unknown }>()
  let now = 0
  let sleepers = 0
  let running = false
  let holds = 0

  return { now: () => now, after, sleep, hold }

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

  function hold(): () => void {
    holds += 1
    return () => {
      holds -= 1
      run()
    }
  }

  function run(): void {
    if (running || holds > 0) return
    running = true
    void pass().finally(() => {
      running = false
      if (sleepers > 0 && nextDue() !== undefined) run()
    })
  }

  async function pass(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate)
    const next = sleepers > 0 && holds === 0 ? nextDue() : undefined
    if (next === undefined) return
    due.delete(next)
    now = Math.max(now, next.at)
    await next.act()
  }

  function nextDue() {
    const [next] = [...due].filter(({ at }) => at < Number.POSITIVE_INFINITY).sort((a, b) => a.at - b.at)
    return next
  }
}

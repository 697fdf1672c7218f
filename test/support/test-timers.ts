import type { Timers } from '../../src/domain/timers.ts'

export interface TestTimers extends Timers {
  /** Milliseconds that have passed. */
  now(): number
  /** Let no time pass until what is returned is called. */
  hold(): () => void
}

/** A port during whose calls no time passes: how long a database takes is not this clock's. */
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

/** So many turns of the event loop lie between two moments, for what the first one set off. */
const TURNS = 10

/**
 * Time that passes only while somebody sleeps, and then from one moment that is due to the next, some
 * turns of the event loop each. What waits for `after` alone waits until then. While something that was
 * due is being done, and as long as it returns a promise, no time passes.
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

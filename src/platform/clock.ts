import type { Timers } from '../domain/timers.ts'

/** Timers in real time. They do not keep the process alive. */
export const systemTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },

  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const wake = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', wake)
        resolve()
      }, ms)
      if (signal?.aborted) wake()
      else signal?.addEventListener('abort', wake, { once: true })
    }),
}

/** Current time, ISO 8601 UTC. */
export function systemTime(): string {
  return new Date().toISOString()
}

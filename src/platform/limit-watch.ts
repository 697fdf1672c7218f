import { performance } from 'node:perf_hooks'
import { type ProcessUsage, processUsage } from './process-usage.ts'

/** Limits for one piece of work in a child process. */
export interface ProcessLimits {
  /** CPU time, in milliseconds, from the first check on. */
  readonly cpuMs: number
  /** Wall time, in milliseconds: the only limit where CPU time cannot be read. */
  readonly wallMs: number
  /** Memory of the child, in bytes. */
  readonly memory: number
}

/** The limit that was exceeded. `busy`: the work took too long, but less CPU time than it may: the machine is overloaded. */
export type Overrun = 'cpu' | 'memory' | 'wall' | 'busy'

export interface LimitWatch {
  /** Returns the memory that the child used at the last check, in bytes; null if it was not checked. */
  stop(): number | null
}

const CHECK_INTERVAL_MS = 100

/**
 * Checks from now on what a child process uses.
 *
 * @param pid undefined for one that could not be started.
 * @param onOverrun called once; the caller ends the child.
 */
export function watchLimits(
  pid: number | undefined,
  limits: ProcessLimits,
  onOverrun: (overrun: Overrun) => void,
  usageOf = processUsage,
): LimitWatch {
  const started = performance.now()
  // Not read at the start: that would cost ordinary work more than sending it does.
  let first: ProcessUsage | null = null
  let last: ProcessUsage | null = null
  const timer = setInterval(() => {
    last = pid === undefined ? null : usageOf(pid)
    first ??= last
    const overrun = overrunOf(performance.now() - started, first, last, limits)
    if (overrun === null) return
    clearInterval(timer)
    onOverrun(overrun)
  }, CHECK_INTERVAL_MS)
  return {
    stop() {
      clearInterval(timer)
      return last?.memory ?? null
    },
  }
}

function overrunOf(
  wallMs: number,
  first: ProcessUsage | null,
  now: ProcessUsage | null,
  limits: ProcessLimits,
): Overrun | null {
  const cpuMs = first === null || now === null ? null : now.cpuMs - first.cpuMs
  if (cpuMs !== null && cpuMs > limits.cpuMs) return 'cpu'
  if (now !== null && now.memory > limits.memory) return 'memory'
  if (wallMs <= limits.wallMs) return null
  return cpuMs === null ? 'wall' : 'busy'
}

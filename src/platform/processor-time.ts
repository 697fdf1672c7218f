import { requestOfCaller } from './answer-time.ts'

/**
 * Runs work on the main thread that grows with its input. The request of the calling code pays for its time, but not
 * for the time in which other processes had the processor.
 */
export function paidFor<Result>(work: () => Result): Result {
  const request = requestOfCaller()
  if (request === undefined) return work()
  const [started, used] = [performance.now(), process.cpuUsage()]
  try {
    return work()
  } finally {
    const { user, system } = process.cpuUsage(used)
    // Other threads of the process use the processor too.
    request.processorMs += Math.min(performance.now() - started, (user + system) / 1_000)
  }
}

/** Adds processor time that another process has used, in milliseconds. */
export type Pay = (ms: number) => void

/** @returns a function that lets the request of the calling code pay, from wherever it is called. */
export function ownPayment(): Pay {
  const request = requestOfCaller()
  return (ms) => {
    if (request !== undefined) request.processorMs += ms
  }
}

/** Processor time that the request of the calling code has used so far, in milliseconds; 0 outside of requests. */
export function usedProcessorMs(): number {
  return requestOfCaller()?.processorMs ?? 0
}

/** Timers as a port, so that tests control time. */
export interface Timers {
  /** Calls `act` once after `ms` milliseconds unless cancelled. Does not keep the process alive. */
  after(ms: number, act: () => void): CancelTimer
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type CancelTimer = () => void

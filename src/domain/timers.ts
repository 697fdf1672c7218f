/** Waiting, as something that is handed in: tests let hours pass in no time. */
export interface Timers {
  /** Call `act` once in `ms` milliseconds, unless it is called off before. Keeps no process alive. */
  after(ms: number, act: () => void): CallOff
  /** Resolves in `ms` milliseconds, or rejects with the signal's reason once that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type CallOff = () => void

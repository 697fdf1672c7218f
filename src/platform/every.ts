/** Work that is repeated until it is stopped. */
export interface Repetition {
  /** Resolves when the work that runs has ended. */
  stop(): Promise<void>
}

/**
 * Does the work every `ms` milliseconds. A turn is left out while the work of an earlier one still runs, so that slow
 * work does not pile up.
 *
 * @param work must not reject.
 */
export function every(ms: number, work: () => Promise<void>): Repetition {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= work().finally(() => (running = null))
  }, ms)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

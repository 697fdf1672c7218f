/** The parts of a publish that are timed, in order. */
export const PHASES = ['claim', 'render', 'upload', 'commit'] as const
export type Phase = (typeof PHASES)[number]

/** Duration of each phase in milliseconds; 0 for a phase that was skipped. */
export type PhaseTimes = Readonly<Record<Phase, number>>

export interface Stopwatch {
  /** Attributes the time since the previous lap to this phase. */
  lap(phase: Phase): void
  times(): PhaseTimes
}

/**
 * Starts a stopwatch.
 *
 * @param monotonic a clock in milliseconds.
 */
export function createStopwatch(monotonic: () => number): Stopwatch {
  const times = { claim: 0, render: 0, upload: 0, commit: 0 }
  let last = monotonic()
  return {
    lap(phase) {
      const now = monotonic()
      times[phase] += now - last
      last = now
    },
    times: () => ({ ...times }),
  }
}

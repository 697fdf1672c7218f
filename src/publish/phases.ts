/** Parts of a publish, in their order. */
export const PHASES = ['claim', 'render', 'upload', 'commit'] as const
export type Phase = (typeof PHASES)[number]

/** How long each part took, in milliseconds; those that did not come are 0. */
export type PhaseTimes = Readonly<Record<Phase, number>>

export interface Stopwatch {
  /** What has passed since the last call was spent on this. */
  lap(phase: Phase): void
  times(): PhaseTimes
}

/** @param monotonic a clock in milliseconds; the watch runs from now on. */
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

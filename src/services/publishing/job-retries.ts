const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Delays between the runs of a job that publishes: a store may be unavailable for a while. */
const PUBLISH_DELAYS_MS = [2 * SECOND, 10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE]

/** Retry policy of jobs that publish. */
export const PUBLISH_RETRIES = {
  attempts: PUBLISH_DELAYS_MS.length + 1,
  backoff: (failedRuns: number) =>
    PUBLISH_DELAYS_MS[Math.min(failedRuns, PUBLISH_DELAYS_MS.length) - 1] ?? SECOND,
}

const UPKEEP_DELAYS_MS = [SECOND, 5 * SECOND, 30 * SECOND, MINUTE]
const LAST_UPKEEP_DELAY_MS = 5 * MINUTE

/** Retry policy for the upkeep of a site's files, which no request starts again: about a day of runs. */
export const UPKEEP_RETRIES = {
  attempts: 300,
  backoff: (failedRuns: number) => UPKEEP_DELAYS_MS[failedRuns - 1] ?? LAST_UPKEEP_DELAY_MS,
}

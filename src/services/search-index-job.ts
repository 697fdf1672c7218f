import { MERGE, SEARCH_INDEX } from '../domain/job.ts'
import type { Timers } from '../domain/timers.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import type { LeaseHolder } from '../publish/queue/lease-holder.ts'
import { withStallTimeout } from '../publish/queue/stall-timeout.ts'
import { type SearchPorts, updateSearchIndex } from '../publish/search/update-search-index.ts'

/** Delays between runs while the store is unavailable. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 60_000]
const LAST_RETRY_DELAY_MS = 5 * 60_000
/** About a day of runs. */
const ATTEMPTS = 300

export interface SearchJobPorts extends SearchPorts {
  /** Called for each run, since two runs may be about one project. */
  readonly newLeaseHolder: () => LeaseHolder
  readonly timers: Timers
}

/** Updates the search index of a site to what is live. Idempotent: each run reads the current state. */
export function createSearchIndexJob({ newLeaseHolder, timers, ...ports }: SearchJobPorts): JobKind {
  return {
    name: SEARCH_INDEX,
    concurrency: 2,
    perAccount: 1,
    attempts: ATTEMPTS,
    backoff: (failedRuns) => RETRY_DELAYS_MS[failedRuns - 1] ?? LAST_RETRY_DELAY_MS,

    async run({ projectId, payload }) {
      // Aborted when the store stalls, and then retried.
      const storage = withStallTimeout(ports.storage, new AbortController(), timers)
      if (await updateSearchIndex(projectId, payload === MERGE, newLeaseHolder(), { ...ports, storage }))
        return []
      throw new Error(
        'The search index was not written: other publishes hold the lease of the project, or a release is unfinished.',
      )
    },

    // The next publish enqueues another run.
    faultsOf: () => [],
  }
}

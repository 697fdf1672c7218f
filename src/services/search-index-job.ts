import { MERGE, SEARCH_INDEX } from '../domain/job.ts'
import type { Timers } from '../domain/timers.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import type { LeaseHolder } from '../publish/queue/lease-holder.ts'
import { withStallTimeout } from '../publish/queue/stall-timeout.ts'
import { type SearchPorts, updateSearchIndex } from '../publish/search/write-search.ts'

/** Pauses between runs while the store is away, in milliseconds. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 60_000]
const LAST_RETRY_DELAY_MS = 5 * 60_000
/** About a day. */
const ATTEMPTS = 300

export interface SearchJobPorts extends SearchPorts {
  /** One for each run, since two may be of one project. */
  readonly newLeaseHolder: () => LeaseHolder
  readonly timers: Timers
}

/** Brings the search index of a site up to what is live. It may run again and again: it looks at what there is. */
export function createSearchIndexJob({ newLeaseHolder, timers, ...ports }: SearchJobPorts): JobKind {
  return {
    name: SEARCH_INDEX,
    concurrency: 2,
    attempts: ATTEMPTS,
    backoff: (failedRuns) => RETRY_DELAYS_MS[failedRuns - 1] ?? LAST_RETRY_DELAY_MS,

    async run({ projectId, payload }) {
      // Called off when the store stands still, and tried again.
      const storage = withStallTimeout(ports.storage, new AbortController(), timers)
      if (await updateSearchIndex(projectId, payload === MERGE, newLeaseHolder(), { ...ports, storage }))
        return []
      throw new Error(
        'The project is published to without a pause, or a release of it is half-way; its search index has to wait.',
      )
    },

    // It is asked for again with the next publish.
    faultsOf: () => [],
  }
}

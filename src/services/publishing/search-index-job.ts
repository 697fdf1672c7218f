import { MERGE, SEARCH_INDEX } from '../../domain/job.ts'
import type { Timers } from '../../domain/timers.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { LeaseHolder } from '../../publish/queue/lease-holder.ts'
import { withStallTimeout } from '../../publish/queue/stall-timeout.ts'
import { type SearchPorts, updateSearchIndex } from '../../publish/search/update-search-index.ts'
import { UPKEEP_RETRIES } from './job-retries.ts'

export interface SearchJobPorts extends SearchPorts {
  /** Called for each run, since two runs may be about one project. */
  readonly newLeaseHolder: () => LeaseHolder
  readonly timers: Timers
}

/** Updates the search index of a site to its live pages. Idempotent: each run reads the current state. */
export function createSearchIndexJob({ newLeaseHolder, timers, ...ports }: SearchJobPorts): JobKind {
  return {
    name: SEARCH_INDEX,
    concurrency: 2,
    perAccount: 1,
    ...UPKEEP_RETRIES,

    async run({ projectId, payload }, _, stopping) {
      // Aborted when the store stalls, and then retried.
      const storage = withStallTimeout(ports.storage, new AbortController(), timers)
      const isWritten = await updateSearchIndex(
        projectId,
        payload === MERGE,
        newLeaseHolder(),
        { ...ports, storage },
        stopping,
      )
      if (isWritten) return []
      if (stopping.aborted) return null
      throw new Error(
        'The search index was not written: other publishes hold the lease of the project, or a release is unfinished.',
      )
    },

    // The next publish enqueues another run.
    faultsOf: () => [],
  }
}

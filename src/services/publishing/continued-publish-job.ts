import type { PageId } from '../../domain/ids.ts'
import { CONTINUED_PUBLISH, NO_WARNINGS, releaseOfJob, withWarnings } from '../../domain/job.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { ServiceContext } from '../context.ts'
import { waitForRelease } from './await-release.ts'
import { UPKEEP_RETRIES } from './job-retries.ts'

/** Follows a release that continues in the background after its request was answered. Publishes nothing itself. */
export function createContinuedPublishJob({
  db,
  publisher,
}: Pick<ServiceContext, 'db' | 'publisher'>): JobKind {
  return {
    name: CONTINUED_PUBLISH,
    concurrency: 64,
    perAccount: 16,
    ...UPKEEP_RETRIES,

    async run(job, lease) {
      const pageId = job.subject as PageId
      const release = { id: releaseOfJob(job.id), projectId: job.projectId }
      const { failure, warnings } = await waitForRelease(publisher, release)
      if (failure !== null) return [{ pageId, message: failure.message }]
      if (warnings.length > 0) {
        const shown = withWarnings(
          NO_WARNINGS,
          warnings.map((warning) => ({ pageId, ...warning })),
        )
        await db.write(({ jobs }) =>
          jobs.recordProgress(lease, { done: 0, failed: [], checkpoint: null, warnings: shown }),
        )
      }
      return []
    },

    faultsOf: ({ subject }) => [{ pageId: subject as PageId, message: LOST }],
  }
}

const LOST = 'The publish went on, but its end is not known; the page says whether it is live.'

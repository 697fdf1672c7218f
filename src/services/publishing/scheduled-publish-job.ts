import type { Repositories } from '../../db/repositories.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import { ServiceError, UnavailableError } from '../../domain/errors.ts'
import type { PageId, ReleaseId } from '../../domain/ids.ts'
import {
  actorOfJob,
  type Job,
  NO_WARNINGS,
  type PageFailure,
  SCHEDULED_PUBLISH,
  type SchedulePayload,
  withWarnings,
} from '../../domain/job.ts'
import { isServiceFault } from '../../domain/release.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { JobLease } from '../../jobs/job-queue.ts'
import type { ServiceContext } from '../context.ts'
import { waitForRelease } from './await-release.ts'
import { type EnqueuedRelease, enqueuePublish } from './enqueue-release.ts'
import { PUBLISH_RETRIES } from './job-retries.ts'
import type { PageTexts } from './page-texts.ts'
import type { PublishOptions } from './publishing.ts'
import { BACKGROUND_WAITS, type WithPictures } from './social-pictures.ts'

/** Publishes one page at the scheduled time, as it is then. */
export function createScheduledPublishJob(context: ServiceContext): JobKind {
  const { db, publisher, socialPictures } = context

  return {
    name: SCHEDULED_PUBLISH,
    concurrency: 16,
    perAccount: 8,
    ...PUBLISH_RETRIES,

    async run(job, lease) {
      const accepted = acceptedBy(job) ?? (await accept(job, lease))
      if ('message' in accepted) return [accepted]
      const { failure, warnings } = await waitForRelease(publisher, accepted)
      if (failure === null) {
        if (warnings.length > 0) await noteWarnings(job, lease, accepted.id, warnings)
        return []
      }
      if (!isServiceFault(failure)) return [{ pageId: pageOf(job), message: failure.message }]
      await db.write(({ jobs }) => jobs.recordProgress(lease, { done: 0, failed: [], checkpoint: null }))
      throw new Error('A scheduled page could not be published.')
    },

    faultsOf: (job) => [{ pageId: pageOf(job), message: GIVEN_UP }],
  }

  /** Replaces the recorded warnings: a run after an interruption reports those of the same release again. */
  async function noteWarnings(
    job: Job,
    lease: JobLease,
    release: ReleaseId,
    of: readonly PageWarning[],
  ): Promise<void> {
    const pageId = pageOf(job)
    const warnings = withWarnings(
      NO_WARNINGS,
      of.map((warning) => ({ pageId, ...warning })),
    )
    await db.write(({ jobs }) =>
      jobs.recordProgress(lease, { done: 0, failed: [], checkpoint: release, warnings }),
    )
  }

  /**
   * Enqueues a publish of the page as it is now, after its unfinished releases: they may cancel the schedule.
   *
   * @throws while one of them is being reverted, so that the job is retried later.
   */
  async function accept(job: Job, lease: JobLease): Promise<EnqueuedRelease | PageFailure> {
    const pageId = pageOf(job)
    let ended: ReleaseId | null = null
    for (;;) {
      const next = await refusalAsFailure(pageId, async (repositories, withPictures, texts) => {
        const pending = await repositories.releases.unfinishedOf(pageId)
        if (pending !== null) return { pending }
        const found = await repositories.pages.find(pageId)
        if (found === null) return { pageId, message: 'The page was deleted before it could be published.' }
        const { status } = found.home.project
        if (status !== 'active') return { pageId, message: `The project is ${status} and takes no changes.` }
        const accepted = await enqueuePublish(repositories, context, found.page, found.home, {
          ...wishOf(job),
          actor: actorOfJob(job),
          undo: null,
          isAwaited: false,
          withPictures,
          texts,
        })
        await repositories.jobs.recordProgress(lease, { done: 0, failed: [], checkpoint: accepted.id })
        return accepted
      })
      if (!('pending' in next)) return next
      // Its request was answered, but the previous bytes of the page are not back yet.
      if (next.pending === ended) throw new Error('An earlier publish of the page is still being reverted.')
      await waitForRelease(publisher, { id: next.pending, projectId: job.projectId })
      ended = next.pending
    }
  }

  /**
   * Returns a rejection, for example of an account at its limit, as a failure: it ends the job without a retry. A busy
   * database rejects nothing.
   */
  async function refusalAsFailure<Accepted>(
    pageId: PageId,
    work: (repositories: Repositories, withPictures: WithPictures, texts: PageTexts) => Promise<Accepted>,
  ): Promise<Accepted | PageFailure> {
    try {
      return await socialPictures.accept(BACKGROUND_WAITS, work)
    } catch (error) {
      if (error instanceof ServiceError && !(error instanceof UnavailableError))
        return { pageId, message: error.message }
      throw error
    }
  }
}

const GIVEN_UP =
  'Publishing failed several times and will not be retried. The live version of the page has not changed.'

/** The release that the job has accepted; null when it has accepted none yet. */
export function acceptedBy({ projectId, checkpoint }: Job): EnqueuedRelease | null {
  return checkpoint === null ? null : { id: checkpoint as ReleaseId, projectId }
}

function wishOf({ payload }: Job): PublishOptions {
  const { strict } = payload as unknown as SchedulePayload
  return { strict }
}

export function pageOf({ subject }: Job): PageId {
  return subject as PageId
}

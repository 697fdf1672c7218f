import type { Repositories } from '../../db/repositories.ts'
import type { Act, Actor } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import type { PageId } from '../../domain/ids.ts'
import { type Job, SCHEDULED_PUBLISH, type SchedulePayload, scheduledAt } from '../../domain/job.ts'
import type { Page } from '../../domain/page.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import { accessPage, accessProject, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import type { PublishOptions } from './publishing.ts'

export interface ScheduleOptions extends PublishOptions {
  /** ISO 8601 UTC; null cancels the schedule. */
  readonly publishAt: string | null
}

export type SchedulingService = ReturnType<typeof createSchedulingService>

export function createSchedulingService({
  db,
  accountLimits,
  newId,
  now,
}: Pick<ServiceContext, 'db' | 'accountLimits' | 'newId' | 'now'>) {
  return {
    /**
     * Schedules a publish of the page, as it will be at that time. Replaces an earlier schedule of the page.
     *
     * @param readWish reads the body, knowing the page; called once the page is known to be the caller's.
     * @returns the job, or null when nothing is scheduled.
     */
    async schedule(
      caller: Caller,
      ref: string,
      readWish: (page: Page) => ScheduleOptions,
    ): Promise<{ readonly page: Page; readonly job: Job | null }> {
      return db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, ['publish'])
        assertWritable(home.project)
        const wish = readWish(page)
        const { publishAt } = wish
        if (publishAt === null) {
          const isScheduled = (await schedulesOf(repositories, [page])).size > 0
          await cancelSchedule(repositories, page.id, 'Cancelled on request.', now())
          if (isScheduled) await record(repositories, caller, page, 'page.unschedule')
          return { page, job: null }
        }
        const id = await withIdempotency(repositories, caller, now(), async () => {
          await cancelSchedule(repositories, page.id, 'Cancelled: the publish was rescheduled.', now())
          const jobId = await enqueue(repositories, caller, page, wish, publishAt)
          await accountLimits.assertWithin(repositories, page, ['unfinished_jobs'])
          await record(repositories, caller, page, 'page.schedule')
          return jobId
        })
        return { page, job: await repositories.jobs.find(id) }
      })
    },

    /** Scheduled publishes of a project, soonest first. */
    async list(caller: Caller, ref: string, slice: Slice): Promise<Listed<Job>> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return db.read.jobs.listQueued(project.id, SCHEDULED_PUBLISH, slice)
    },
  }

  function record(repositories: Repositories, caller: Caller, { id, projectId }: Page, act: Act) {
    return recordAct(repositories, { newId, now }, caller, { act, of: { projectId }, target: id })
  }

  async function enqueue(
    { jobs, releases }: Repositories,
    actor: Actor,
    page: Page,
    { strict }: PublishOptions,
    dueAt: string,
  ): Promise<Job['id']> {
    const id = newId<'job'>()
    await jobs.enqueue({
      id,
      projectId: page.projectId,
      kind: SCHEDULED_PUBLISH,
      subject: page.id,
      payload: {
        strict,
        publishAt: dueAt,
        afterSeq: await releases.lastSeq(),
      } satisfies SchedulePayload,
      total: 1,
      actor,
      dueAt,
      createdAt: now(),
    })
    return id
  }
}

/** Returns the times of these pages' scheduled publishes; pages without a schedule are left out. */
export async function schedulesOf(
  { jobs }: Repositories,
  pages: readonly { readonly id: PageId }[],
): Promise<ReadonlyMap<PageId, string>> {
  const waiting = await jobs.findUnfinished(
    SCHEDULED_PUBLISH,
    pages.map(({ id }) => id),
  )
  return new Map(waiting.map((job) => [job.subject as PageId, scheduledAt(job) ?? job.dueAt]))
}

/** Cancels the scheduled publish of a page, unless it is running. */
export async function cancelSchedule(
  { jobs }: Repositories,
  pageId: PageId,
  message: string,
  now: string,
): Promise<void> {
  await jobs.cancel(SCHEDULED_PUBLISH, [pageId], () => ({ pageId, message }), now)
}

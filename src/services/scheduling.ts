import type { Repositories } from '../db/repositories.ts'
import type { Caller } from '../domain/caller.ts'
import type { PageId } from '../domain/ids.ts'
import { type Job, SCHEDULED_PUBLISH } from '../domain/job.ts'
import type { Page } from '../domain/page.ts'
import { accessPage, accessProject, assertWritable } from './access.ts'
import type { ServiceContext } from './context.ts'
import { withIdempotency } from './idempotency.ts'
import type { PublishOptions } from './publishing.ts'

export interface ScheduleOptions extends PublishOptions {
  /** ISO 8601 UTC; null for not at all. */
  readonly publishAt: string | null
}

export type SchedulingService = ReturnType<typeof createSchedulingService>

export function createSchedulingService({ db, newId, now }: Pick<ServiceContext, 'db' | 'newId' | 'now'>) {
  return {
    /**
     * Have a page published at its time, as it will be then. Takes the place of what was scheduled for it before.
     *
     * @param readWish reads the body, once the page is known to be the caller's.
     * @returns the job, or null when nothing is scheduled any more.
     */
    async schedule(
      caller: Caller,
      ref: string,
      readWish: () => ScheduleOptions,
    ): Promise<{ readonly page: Page; readonly job: Job | null }> {
      return db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, ['publish'])
        assertWritable(home.project)
        const wish = readWish()
        const { publishAt } = wish
        if (publishAt === null) {
          await cancelSchedule(repositories, page.id, 'Cancelled on request.', now())
          return { page, job: null }
        }
        const id = await withIdempotency(repositories, caller, now(), async () => {
          await cancelSchedule(repositories, page.id, 'Cancelled: another time was chosen.', now())
          return enqueue(repositories, page, wish, publishAt)
        })
        return { page, job: await repositories.jobs.find(id) }
      })
    },

    /** What is scheduled in a project, soonest first. */
    async list(
      caller: Caller,
      ref: string,
      slice: { readonly limit: number; readonly offset: number },
    ): Promise<{ readonly items: readonly Job[]; readonly total: number }> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return db.read.jobs.listQueued(project.id, SCHEDULED_PUBLISH, slice)
    },
  }

  async function enqueue(
    { jobs }: Repositories,
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
      payload: { strict },
      total: 1,
      dueAt,
      createdAt: now(),
    })
    return id
  }
}

/** What was scheduled for the page does not happen, unless it is under way. */
export async function cancelSchedule(
  { jobs }: Repositories,
  pageId: PageId,
  message: string,
  now: string,
): Promise<void> {
  await jobs.cancel(SCHEDULED_PUBLISH, [pageId], () => ({ pageId, message }), now)
}

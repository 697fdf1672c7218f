import { ANY_PAGE, type PageFilter } from '../../db/repositories/pages.ts'
import type { Home } from '../../db/repositories/projects.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Actor } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { type PageId, type ProjectId, readId } from '../../domain/ids.ts'
import { type Job, PUBLISH_PAGES, toBulkPayload } from '../../domain/job.ts'
import { accessProject, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import type { Staleness } from './staleness.ts'

/** A request to publish many pages. */
export interface BulkPublish {
  readonly selection: PageSelection
  /** Refuses pages that would go live with a warning. */
  readonly strict: boolean
}

/** Live pages, stale pages, pages by their ids as the client sent them, or pages that match a filter. */
export type PageSelection = 'all' | 'stale' | readonly string[] | PagesThatMatch

interface PagesThatMatch {
  readonly matching: Omit<PageFilter, 'projectId'>
}

/** Unfinished bulk publishes that a project may have. */
const MAX_UNFINISHED_JOBS = 20
/** Pages compared at a time. */
const BATCH = 500

export interface BulkPublishingPorts extends Pick<ServiceContext, 'db' | 'accountLimits' | 'newId' | 'now'> {
  readonly staleness: Staleness
  /** Wakes the job runner. */
  readonly wake: () => void
}

export type BulkPublishingService = ReturnType<typeof createBulkPublishingService>

export function createBulkPublishingService({
  db,
  accountLimits,
  newId,
  now,
  staleness,
  wake,
}: BulkPublishingPorts) {
  return {
    /**
     * Starts a job that publishes many pages, and returns without waiting for it. The selection is evaluated now;
     * each page is published as it is when the job reaches it.
     *
     * @param readPublish reads the body; called once the project is known to be the caller's.
     * @throws {ServiceError} `validation_error` that names ids of no page of the project; `conflict` when the project
     *   has too many unfinished jobs of this kind.
     */
    async publish(caller: Caller, ref: string, readPublish: () => BulkPublish): Promise<Job> {
      const home = await accessProject(db.read, caller, ref, ['publish'])
      assertWritable(home.project)
      const { selection, strict } = readPublish()
      // Before the transaction, since comparing many pages is slow.
      const stale = selection === 'stale' ? await stalePages(home) : null
      const job = await db.write(async (repositories) => {
        const { project } = await accessProject(repositories, caller, ref, ['publish'])
        assertWritable(project)
        const id = await withIdempotency(repositories, caller, now(), async () => {
          const pages = stale ?? (await selected(repositories, project.id, selection))
          const jobId = await enqueue(repositories, caller, project.id, { pages, strict })
          await accountLimits.assertWithin(repositories, { projectId: project.id }, ['unfinished_jobs'])
          await recordAct(repositories, { newId, now }, caller, {
            act: 'job.start',
            of: { projectId: project.id },
            target: jobId,
          })
          return jobId
        })
        return repositories.jobs.find(id)
      })
      if (job === null) throw new Error('The job is missing right after it was inserted.')
      wake()
      return job
    },
  }

  async function enqueue(
    { jobs }: Repositories,
    actor: Actor,
    projectId: ProjectId,
    { pages, strict }: { readonly pages: readonly PageId[]; readonly strict: boolean },
  ): Promise<Job['id']> {
    if ((await jobs.countUnfinished(projectId, PUBLISH_PAGES)) >= MAX_UNFINISHED_JOBS) {
      throw new ServiceError(
        'conflict',
        `The project already has ${MAX_UNFINISHED_JOBS} unfinished bulk publishes; wait until one of them ends.`,
      )
    }
    const id = newId<'job'>()
    const moment = now()
    await jobs.enqueue({
      id,
      projectId,
      kind: PUBLISH_PAGES,
      subject: null,
      payload: toBulkPayload({ pages, strict }),
      total: pages.length,
      actor,
      dueAt: moment,
      createdAt: moment,
    })
    return id
  }

  async function stalePages(home: Home): Promise<readonly PageId[]> {
    const projectId = home.project.id
    // By id: positions in a list change when a page comes or goes meanwhile.
    const live = await db.read.pages.ids({ ...LIVE_PAGES, projectId })
    const stale: PageId[] = []
    for (let start = 0; start < live.length; start += BATCH) {
      const ids = live.slice(start, start + BATCH)
      const differences = await staleness(await db.read.pages.findSummaries(projectId, ids), home)
      stale.push(...ids.filter((id) => (differences.get(id)?.stale.length ?? 0) > 0))
    }
    return stale
  }
}

const LIVE_PAGES = { ...ANY_PAGE, status: 'published' } as const

async function selected(
  { pages }: Repositories,
  projectId: ProjectId,
  selection: PageSelection,
): Promise<readonly PageId[]> {
  if (typeof selection === 'string') return pages.ids({ ...LIVE_PAGES, projectId })
  if ('matching' in selection) return pages.ids({ ...selection.matching, projectId })
  const ids = selection.map((ref) => readId('page', ref))
  const known = await pages.idsWithin(
    projectId,
    ids.filter((id) => id !== null),
  )
  const unknown = ids.flatMap((id, i) => (id !== null && known.has(id) ? [] : [i]))
  if (unknown.length > 0) throw unknownPages(unknown)
  // Without duplicates, in the order of the request.
  return [...new Set(ids)].filter((id) => id !== null)
}

/** Unknown pages that the message lists individually. */
const MAX_REPORTED = 20

function unknownPages(places: readonly number[]): ServiceError {
  const reported = places
    .slice(0, MAX_REPORTED)
    .map((i) => ({ path: `pages[${i}]`, message: 'is not the id of a page of this project.' }))
  return fieldFailure('validation_error', reported, { total: places.length })
}

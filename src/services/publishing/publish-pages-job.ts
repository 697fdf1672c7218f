import type { Repositories } from '../../db/repositories.ts'
import { settingsAt } from '../../domain/announcement.ts'
import { messageOf, ServiceError } from '../../domain/errors.ts'
import type { PageId, ReleaseId } from '../../domain/ids.ts'
import {
  actorOfJob,
  type Job,
  type JobWarnings,
  type PageFailure,
  PUBLISH_PAGES,
  readBulkPayload,
  withWarnings,
} from '../../domain/job.ts'
import type { Snapshot } from '../../domain/live-page.ts'
import type { Project } from '../../domain/project.ts'
import { isServiceFault } from '../../domain/release.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { JobLease } from '../../jobs/job-queue.ts'
import type { ServiceContext } from '../context.ts'
import { type ReleaseResult, waitForRelease } from './await-release.ts'
import { PUBLISH_RETRIES } from './job-retries.ts'
import { type PreparedTexts, TextsMissing } from './page-texts.ts'
import { MAX_GROUP, nextGroup } from './publish-groups.ts'
import { completeSnapshot, siteOfProject } from './snapshots.ts'
import { BACKGROUND_WAITS, type WithPictures } from './social-pictures.ts'

/** Pages of the first group: few, because their cost is still unknown. */
const FIRST_GROUP = 25
/** Pages per group, unless rendering them takes too long. The indexes are written once per group. */
const MIN_GROUP = 20
/** Target duration of a group: other publishes of the project wait for it. */
const GROUP_MS = 2_500
/** Duration of a run, after which other jobs get their turn. */
const RUN_MS = 10_000

/** Progress of a bulk publish. */
interface PublishProgress {
  /** Pages not yet enqueued. */
  readonly rest: readonly PageId[]
  /** Enqueued releases without a result yet. */
  readonly waiting: readonly (readonly [PageId, ReleaseId])[]
  /** Number of pages that the next group may have. */
  readonly size: number
  readonly failed: readonly PageFailure[]
  readonly warnings: JobWarnings
}

export interface PublishPagesPorts
  extends Pick<
    ServiceContext,
    'db' | 'publisher' | 'addresses' | 'accountLimits' | 'socialPictures' | 'newId' | 'now'
  > {
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
}

/** Publishes the pages of the payload, group by group. */
export function createPublishPagesJob({
  db,
  publisher,
  addresses,
  accountLimits,
  socialPictures,
  newId,
  now,
  monotonic,
}: PublishPagesPorts): JobKind {
  return {
    name: PUBLISH_PAGES,
    concurrency: 4,
    perAccount: 2,
    ...PUBLISH_RETRIES,

    async run(job, lease, stopping) {
      const began = monotonic()
      let course = progressOf(job)
      for (;;) {
        course = await settle(job, lease, course)
        if (course.rest.length === 0) return course.failed
        if (stopping.aborted || monotonic() - began >= RUN_MS) return null
        course = await acceptGroup(job, lease, course)
      }
    },

    faultsOf(job) {
      const { rest, waiting, failed } = progressOf(job)
      const remaining = [...waiting.map(([pageId]) => pageId), ...rest]
      return [...failed, ...remaining.map((pageId) => ({ pageId, message: GIVEN_UP }))]
    },
  }

  /** Waits for the enqueued releases. @throws when the store failed, so that the job is retried. */
  async function settle(job: Job, lease: JobLease, course: PublishProgress): Promise<PublishProgress> {
    const { rest, waiting, failed } = course
    if (waiting.length === 0) return course
    const { projectId } = job
    const began = monotonic()
    const ends = await Promise.all(
      waiting.map(async ([pageId, id]) => ({
        pageId,
        ...(await waitForRelease(publisher, { id, projectId })),
      })),
    )
    const refused = ends.flatMap(({ pageId, failure }) => (failure === null ? [] : [{ pageId, failure }]))
    const again = refused.filter(({ failure }) => isServiceFault(failure))
    const next: PublishProgress = {
      rest: [...again.map(({ pageId }) => pageId), ...rest],
      waiting: [],
      size:
        again.length > 0
          ? Math.max(1, Math.floor(waiting.length / 2))
          : nextSize(waiting.length, monotonic() - began, longestRender(ends)),
      failed: [
        ...failed,
        ...refused
          .filter((one) => !again.includes(one))
          .map(({ pageId, failure: { message } }) => ({ pageId, message })),
      ],
      warnings: withWarnings(
        course.warnings,
        ends.flatMap(({ pageId, warnings }) => warnings.map((warning) => ({ pageId, ...warning }))),
      ),
    }
    await db.write((repositories) => recordProgress(repositories, job, lease, next))
    if (again.length > 0)
      throw new Error(`${again.length} of ${waiting.length} pages could not be published.`)
    return next
  }

  /** Enqueues the next pages as they are now and records that in the same transaction. */
  async function acceptGroup(job: Job, lease: JobLease, course: PublishProgress): Promise<PublishProgress> {
    // Once for all groups: a large site would wait for hours.
    const webp = job.checkpoint === null && course.waiting.length === 0 ? BACKGROUND_WAITS.webp : 0
    return socialPictures.accept({ ...BACKGROUND_WAITS, webp }, async (repositories, withPictures, texts) => {
      const { project } = (await repositories.projects.find(job.projectId)) ?? { project: null }
      const refusal =
        project?.status === 'active'
          ? await accountLimits.findExceeded(repositories, job, ['release_bytes'])
          : `The project is ${project?.status ?? 'deleted'} and takes no changes.`
      const next =
        project === null || refusal !== null
          ? failRest(course, refusal ?? '')
          : await acceptNext(repositories, { withPictures, texts }, job, project, course)
      await recordProgress(repositories, job, lease, next)
      return next
    })
  }

  async function acceptNext(
    repositories: Repositories,
    { withPictures, texts }: { readonly withPictures: WithPictures; readonly texts: PreparedTexts },
    job: Job,
    project: Project,
    { rest, size, failed, warnings }: PublishProgress,
  ): Promise<PublishProgress> {
    const { settings: stored } = await repositories.settings.find(project.id)
    const settings = settingsAt(stored, now())
    const home = { projectId: project.id, siteRoutes: settings.siteRoutes }
    const { pages, deleted, remaining } = await nextGroup(repositories, home, rest, size)
    const site = siteOfProject(project, addresses)
    const createdAt = now()
    const found: Snapshot[] = []
    const refused: PublishProgress['failed'][number][] = []
    const missing = new Map<PageId, TextsMissing>()
    for (const page of pages) {
      try {
        found.push(await completeSnapshot(repositories, page, settings, site, { texts, isStrict: true }))
      } catch (error) {
        if (error instanceof TextsMissing) {
          missing.set(page.id, error)
          continue
        }
        if (!(error instanceof ServiceError)) throw error
        refused.push({ pageId: page.id, message: messageOf(error) })
      }
    }
    // Pages whose texts are missing in the last run follow in the next group.
    if (missing.size > 0 && texts.mayPrepare())
      throw new TextsMissing([...missing.values()].flatMap(({ works }) => works))
    const releases = (await withPictures(repositories, found)).map((snapshot) => ({
      id: newId<'rel'>(),
      pageId: snapshot.page.id,
      op: 'publish' as const,
      snapshot,
      statusAfter: 'published' as const,
      lenient: false,
      strict: readBulkPayload(job.payload).strict,
      restores: null,
      actor: actorOfJob(job),
      undo: null,
      createdAt,
      deadlineAt: null,
    }))
    await repositories.releases.acceptAll(project.id, settings, releases)
    return {
      rest: [...missing.keys(), ...remaining],
      waiting: releases.map(({ id, pageId }) => [pageId, id] as const),
      size,
      failed: [...failed, ...refused, ...deleted.map((pageId) => ({ pageId, message: DELETED }))],
      warnings,
    }
  }
}

const DELETED = 'The page was deleted before it could be published.'
const GIVEN_UP =
  'Publishing failed several times and will not be retried. The live version of the page has not changed.'

/** Reads the recorded progress of the job. */
export function progressOf({ payload, checkpoint, failed, warnings }: Job): PublishProgress {
  const { pages, strict } = readBulkPayload(payload)
  // Pages that link to each other are refused unless they go live together.
  const start = { rest: pages as readonly PageId[], waiting: [], size: strict ? MAX_GROUP : FIRST_GROUP }
  return { ...start, ...(checkpoint as Partial<PublishProgress> | null), failed, warnings }
}

async function recordProgress(
  { jobs }: Repositories,
  { total }: Job,
  lease: JobLease,
  { rest, waiting, size, failed, warnings }: PublishProgress,
): Promise<void> {
  await jobs.recordProgress(lease, {
    done: total - rest.length - waiting.length,
    failed,
    ...(warnings.total > 0 && { warnings }),
    checkpoint: { rest, waiting, size },
  })
}

function failRest({ rest, failed, ...others }: PublishProgress, message: string): PublishProgress {
  return { ...others, rest: [], failed: [...failed, ...rest.map((pageId) => ({ pageId, message }))] }
}

/**
 * Size of the next group, from the time of the last one. A site whose indexes take long is published in groups of at
 * least `MIN_GROUP`, because smaller ones would write the indexes more often.
 *
 * @param renderMs time of the last group that rendering took.
 */
function nextSize(taken: number, tookMs: number, renderMs: number): number {
  const min = Math.min(MIN_GROUP, fitting(taken, renderMs))
  return Math.min(Math.max(fitting(taken, tookMs), min), MAX_GROUP, 2 * taken)
}

/** Pages that take as long as a group may. */
function fitting(taken: number, tookMs: number): number {
  return Math.max(1, Math.floor((taken * GROUP_MS) / Math.max(tookMs, 1)))
}

function longestRender(ends: readonly ReleaseResult[]): number {
  return Math.max(...ends.map(({ renderMs }) => renderMs))
}

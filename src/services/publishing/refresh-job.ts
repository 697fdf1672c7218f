import type { LatePage } from '../../db/repositories/refreshes.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import { actorOfJob, type Job, PUBLISH_PAGES, REFRESH_PAGES } from '../../domain/job.ts'
import { laterOf } from '../../domain/later-of.ts'
import type { Snapshot } from '../../domain/live-page.ts'
import { ownTheme } from '../../domain/page.ts'
import { refreshedMedia } from '../../domain/refreshed-media.ts'
import { isServiceFault, type Release } from '../../domain/release.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { ServiceContext } from '../context.ts'
import type { NewId } from '../new-id.ts'
import { waitForRelease } from './await-release.ts'
import { PUBLISH_RETRIES } from './job-retries.ts'
import { readMedia } from './snapshots.ts'
import { BACKGROUND_WAITS } from './social-pictures.ts'

/** A page goes live again for its images at most once in this time; one with late images waits no longer for them. */
const REFRESH_MS = 10 * 60 * 1000
/** Time in which the images of several uploads are gathered for one release. */
const GATHER_MS = 10_000
/** Time after which a page with a release in progress is looked at again. */
const BUSY_MS = 60_000
/** Pages that go live together. Their snapshots are in memory. */
const GROUP = 20
/** Duration of a run, after which other jobs get their turn. */
const RUN_MS = 10_000

/** Time from which to look for smaller images, ISO 8601 UTC. A `type`, so that it is JSON. */
type RefreshPayload = { readonly from: string }

/**
 * Requests the new smaller images for live pages. Call it in the transaction that records one.
 *
 * @param came.at when it came, as its record says.
 * @param came.isComplete whether it was the last one of its image; the others can wait for that.
 */
export async function requestRefresh(
  { jobs }: Pick<Repositories, 'jobs'>,
  projectId: ProjectId,
  { at, isComplete }: { readonly at: string; readonly isComplete: boolean },
  newId: NewId,
): Promise<void> {
  const payload: RefreshPayload = { from: at }
  await jobs.enqueueOnce({
    id: newId<'job'>(),
    projectId,
    kind: REFRESH_PAGES,
    subject: projectId,
    payload,
    total: 1,
    dueAt: after(at, isComplete ? GATHER_MS : REFRESH_MS),
    createdAt: at,
  })
}

/** Outcome of a group of pages. */
interface Accepted {
  readonly accepted: ReadonlyMap<PageId, ReleaseId>
  /** Pages left as they are: they need no refresh, or more than one, or their account is at its limit. */
  readonly unchanged: readonly PageId[]
  /** Pages with a release in progress. */
  readonly waiting: readonly PageId[]
}

export interface RefreshPorts
  extends Pick<
    ServiceContext,
    'db' | 'publisher' | 'renderer' | 'accountLimits' | 'socialPictures' | 'newId' | 'now'
  > {
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
}

/**
 * Publishes the live version of pages again with smaller images that came after its publish: once all of them are
 * there, or some of them for long. It brings no edit along, of the page, its settings or its theme, and moves no time
 * of publishing.
 */
export function createRefreshJob({
  db,
  publisher,
  renderer,
  accountLimits,
  socialPictures,
  newId,
  now,
  monotonic,
}: RefreshPorts): JobKind {
  return {
    name: REFRESH_PAGES,
    concurrency: 1,
    perSubject: 1,
    behind: [PUBLISH_PAGES],
    deleteWhenDone: true,
    ...PUBLISH_RETRIES,

    async run(job, _, stopping) {
      const began = monotonic()
      const { from } = job.payload as RefreshPayload
      const passed = new Set<PageId>()
      const busy = new Set<PageId>()
      for (;;) {
        if (!(await isWanted(job.projectId))) return []
        const at = now()
        const all = await db.read.refreshes.latePages(job.projectId, from, after(at, -REFRESH_MS))
        const late = all.filter(({ pageId }) => !passed.has(pageId))
        const due = late.filter((page) => !busy.has(page.pageId) && dueAt(page) <= at)
        if (due.length === 0)
          return laterRun(late.map((page) => (busy.has(page.pageId) ? after(at, BUSY_MS) : dueAt(page))))
        if (stopping.aborted || monotonic() - began >= RUN_MS) return null
        const { accepted, unchanged, waiting } = await accept(job, due.slice(0, GROUP))
        for (const id of unchanged) passed.add(id)
        for (const id of waiting) busy.add(id)
        for (const refused of await ended(job.projectId, accepted)) passed.add(refused)
      }
    },

    // Pages that lack them are stale, and say so.
    faultsOf: () => [],
  }

  async function isWanted(projectId: ProjectId): Promise<boolean> {
    const home = await db.read.projects.find(projectId)
    if (home?.project.status !== 'active') return false
    const { settings } = await db.read.settings.find(projectId)
    return settings.mediaRefresh === 'auto'
  }

  /** Waits for the releases. @returns the refused pages. @throws when the store failed, so that the job is retried. */
  async function ended(
    projectId: ProjectId,
    accepted: ReadonlyMap<PageId, ReleaseId>,
  ): Promise<readonly PageId[]> {
    const ends = await Promise.all(
      [...accepted].map(async ([pageId, id]) => ({
        pageId,
        ...(await waitForRelease(publisher, { id, projectId })),
      })),
    )
    const failed = ends.filter(({ failure }) => failure !== null && isServiceFault(failure))
    if (failed.length > 0)
      throw new Error(`${failed.length} pages could not be published with their pictures.`)
    return ends.filter(({ failure }) => failure !== null).map(({ pageId }) => pageId)
  }

  /** Snapshots are read before the transaction, because all other writes wait for that. */
  async function accept(job: Job, pages: readonly LatePage[]): Promise<Accepted> {
    const refreshed = new Map<PageId, { readonly live: Release; readonly snapshot: Snapshot }>()
    for (const page of pages) {
      const found = await refreshedSnapshot(page)
      if (found !== null) refreshed.set(page.pageId, found)
    }
    const unchanged = pages.map(({ pageId }) => pageId).filter((id) => !refreshed.has(id))
    if (refreshed.size === 0) return { accepted: new Map(), unchanged, waiting: [] }
    return socialPictures.accept({ ...BACKGROUND_WAITS, webp: 0 }, async (repositories, withPictures) => {
      const accepted = new Map<PageId, ReleaseId>()
      const waiting: PageId[] = []
      if ((await accountLimits.findExceeded(repositories, job, ['release_bytes'])) !== null)
        return { accepted, unchanged: pages.map(({ pageId }) => pageId), waiting }
      for (const [pageId, { live, snapshot }] of refreshed) {
        const current = await repositories.releases.liveId(pageId)
        if (current !== live.id || (await repositories.releases.unfinishedOf(pageId)) !== null) {
          waiting.push(pageId)
          continue
        }
        const [complete = snapshot] = snapshot.lacksPicture
          ? await withPictures(repositories, [withoutLack(snapshot)])
          : [snapshot]
        const id = newId<'rel'>()
        await repositories.releases.accept({
          id,
          projectId: job.projectId,
          pageId,
          op: 'refresh',
          snapshot: complete,
          statusAfter: 'published',
          lenient: false,
          strict: false,
          restores: live.id,
          actor: actorOfJob(job),
          undo: null,
          createdAt: now(),
          deadlineAt: null,
        })
        accepted.set(pageId, id)
      }
      return { accepted, unchanged, waiting }
    })
  }

  /** Returns null for a page that a refresh would not change, or would change in more than its images. */
  async function refreshedSnapshot({
    pageId,
    releaseId,
  }: LatePage): Promise<{ readonly live: Release; readonly snapshot: Snapshot } | null> {
    const live = await db.read.releases.find(releaseId)
    const found = await db.read.pages.find(pageId)
    if (live === null || found === null) return null
    const { snapshot } = live
    const { page, settings, site } = snapshot
    if (site.hostingMode !== found.home.project.hosting.mode) return null
    const theme = ownTheme(page) ?? settings.theme
    const digests = (await db.read.pages.liveDigests([pageId])).get(pageId)
    if (digests?.theme !== `${theme} ${renderer.themeDigest(theme)}`) return null
    const { media } = snapshot
    if (media === undefined) return null
    const fresh = refreshedMedia(media, (await readMedia(db.read, page, settings)) ?? {})
    if (fresh === media && snapshot.lacksPicture !== true) return null
    return { live, snapshot: { ...snapshot, media: fresh } }
  }
}

function withoutLack({ lacksPicture: _, ...snapshot }: Snapshot): Snapshot {
  return snapshot
}

/** Returns the time at which the page is to go live again. */
function dueAt({ since, isComplete, refreshedAt }: LatePage): string {
  const complete = isComplete ? since : after(since, REFRESH_MS)
  return refreshedAt === null ? complete : laterOf(complete, after(refreshedAt, REFRESH_MS))
}

/** Ends the job when nothing is left. */
function laterRun(times: readonly string[]): [] | { readonly dueAt: string } {
  const [first] = times.toSorted()
  return first === undefined ? [] : { dueAt: first }
}

function after(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString()
}

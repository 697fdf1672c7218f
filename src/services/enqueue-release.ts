import type { Home, Repositories } from '../db/repositories.ts'
import type { Caller } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import type { ProjectId, ReleaseId } from '../domain/ids.ts'
import type { Snapshot } from '../domain/live-page.ts'
import type { Page, PageStatus, Undo } from '../domain/page.ts'
import { putsLive, type ReleaseOp } from '../domain/release.ts'
import type { AwaitedRelease } from '../publish/queue/publisher.ts'
import type { ServiceContext } from './context.ts'
import { readSnapshot } from './snapshots.ts'

/* Writing a release down, within the transaction of what asked for it. */

/** A release that is written down and will be finished. */
export interface EnqueuedRelease {
  readonly id: ReleaseId
  readonly projectId: ProjectId
}

/** The release as its request waits for it. */
export function awaitedRelease({ requestId }: Caller, accepted: EnqueuedRelease): AwaitedRelease {
  return { ...accepted, requestId }
}

/** Write down that the page is to go live as it is now. */
export function enqueuePublish(
  repositories: Repositories,
  context: ServiceContext,
  page: Page,
  home: Home,
  how: { readonly undo: Undo | null; readonly strict: boolean },
): Promise<EnqueuedRelease> {
  return enqueueCurrent(repositories, context, page, home, {
    ...how,
    op: 'publish',
    statusAfter: 'published',
    lenient: false,
  })
}

/** Write down that the page is to be live again as an earlier release put it there. */
export async function enqueueRollback(
  repositories: Repositories,
  context: ServiceContext,
  page: Page,
  target: ReleaseId | null,
): Promise<EnqueuedRelease> {
  const release = target === null ? null : await repositories.releases.find(target)
  const wentLive = release !== null && release.state === 'live' && release.outcome?.changed === true
  if (release === null || !wentLive || release.pageId !== page.id || !putsLive(release)) {
    throw new ServiceError(
      'validation_error',
      'release_id: must be the id of a release of this page that went live.',
    )
  }
  return enqueue(repositories, context, page, {
    op: 'rollback',
    statusAfter: 'published',
    lenient: false,
    strict: false,
    undo: null,
    snapshot: release.snapshot,
    restores: release.id,
  })
}

/** Write down that the page is to be taken off the CDN. */
export function enqueueRemoval(
  repositories: Repositories,
  context: ServiceContext,
  page: Page,
  home: Home,
  how: {
    readonly op: 'unpublish' | 'delete-page'
    readonly statusAfter: 'draft' | 'archived' | null
    readonly lenient: boolean
  },
): Promise<EnqueuedRelease> {
  return enqueueCurrent(repositories, context, page, home, { ...how, strict: false, undo: null })
}

/** What a release is to do, but for the page and its site. */
interface Intent {
  readonly op: ReleaseOp
  readonly statusAfter: PageStatus | null
  readonly lenient: boolean
  readonly strict: boolean
  readonly undo: Undo | null
}

/** With the page and its site as they are now. */
async function enqueueCurrent(
  repositories: Repositories,
  context: ServiceContext,
  page: Page,
  home: Home,
  intent: Intent,
): Promise<EnqueuedRelease> {
  const snapshot = await readSnapshot(repositories, page, home, context.addresses)
  return enqueue(repositories, context, page, { ...intent, snapshot, restores: null })
}

async function enqueue(
  repositories: Repositories,
  { newId, now }: ServiceContext,
  page: Page,
  wanted: Intent & { readonly snapshot: Snapshot; readonly restores: ReleaseId | null },
): Promise<EnqueuedRelease> {
  const id = newId<'rel'>()
  await repositories.releases.accept({
    ...wanted,
    id,
    projectId: page.projectId,
    pageId: page.id,
    createdAt: now(),
  })
  return { id, projectId: page.projectId }
}

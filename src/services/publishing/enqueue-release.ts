import type { Home } from '../../db/repositories/projects.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Actor } from '../../domain/audit.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { Snapshot } from '../../domain/live-page.ts'
import type { Page, PageStatus, Undo } from '../../domain/page.ts'
import { deadlineOf, putsLive, type ReleaseOp } from '../../domain/release.ts'
import type { RedirectChange } from '../../domain/site-redirect.ts'
import { waitedMs } from '../../platform/answer-time.ts'
import type { ServiceContext } from '../context.ts'
import { NO_TEXTS, type PageTexts } from './page-texts.ts'
import { readSnapshot } from './snapshots.ts'
import type { WithPictures } from './social-pictures.ts'

/* Enqueues releases, inside the transaction of the request that causes them. */

/** A release in the queue, which the publisher will finish. */
export interface EnqueuedRelease {
  readonly id: ReleaseId
  readonly projectId: ProjectId
}

/**
 * Enqueues a publish of the page as it is now.
 *
 * @param how.withPictures of the transaction, as `how.texts`: see `SocialPictures`.
 */
export function enqueuePublish(
  repositories: Repositories,
  context: ServiceContext,
  page: Page,
  home: Home,
  how: Pick<Intent, 'actor' | 'undo' | 'strict' | 'isAwaited'> & {
    readonly withPictures: WithPictures
    readonly texts: PageTexts
  },
): Promise<EnqueuedRelease> {
  return enqueueCurrent(repositories, context, page, home, {
    ...how,
    op: 'publish',
    statusAfter: 'published',
    lenient: false,
  })
}

/** Enqueues a publish of the snapshot of an earlier release. */
export async function enqueueRollback(
  repositories: Repositories,
  context: ServiceContext,
  page: Page,
  target: ReleaseId | null,
  actor: Actor,
): Promise<EnqueuedRelease> {
  const release = target === null ? null : await repositories.releases.find(target)
  const wentLive = release !== null && release.state === 'live' && release.outcome?.changed === true
  if (release === null || !wentLive || release.pageId !== page.id || !putsLive(release)) {
    const message = 'must be the id of a release of this page that went live.'
    throw fieldFailure('validation_error', [{ path: 'release_id', message }])
  }
  return enqueue(repositories, context, page, {
    actor,
    op: 'rollback',
    statusAfter: 'published',
    lenient: false,
    strict: false,
    undo: null,
    isAwaited: true,
    snapshot: release.snapshot,
    restores: release.id,
  })
}

/** Enqueues the removal of the page from the live site. */
export function enqueueRemoval(
  repositories: Repositories,
  context: ServiceContext,
  page: Page,
  home: Home,
  how: {
    readonly actor: Actor
    readonly op: 'unpublish' | 'delete-page'
    readonly statusAfter: 'draft' | 'archived' | null
    readonly lenient: boolean
    readonly redirects?: RedirectChange
  },
): Promise<EnqueuedRelease> {
  return enqueueCurrent(repositories, context, withoutContent(page), home, {
    ...how,
    strict: false,
    undo: null,
    isAwaited: true,
    withPictures: null,
    texts: NO_TEXTS,
  })
}

/**
 * Returns the page without content: a removal needs its address only. It then stores nothing that grows with the page,
 * so an account at its limit can always remove pages.
 */
function withoutContent(page: Page): Page {
  return { ...page, markdown: '', config: {}, meta: {} }
}

/** A release apart from its snapshot. */
interface Intent {
  /** The user, operator or service that asked for it. */
  readonly actor: Actor
  readonly op: ReleaseOp
  readonly statusAfter: PageStatus | null
  readonly lenient: boolean
  readonly strict: boolean
  readonly undo: Undo | null
  readonly redirects?: RedirectChange
  /** True when a request waits for its end, so that it has a deadline. */
  readonly isAwaited: boolean
}

/** Enqueues a release with a snapshot of the page and its site as they are now. */
async function enqueueCurrent(
  repositories: Repositories,
  context: ServiceContext,
  page: Page,
  home: Home,
  {
    withPictures,
    texts,
    ...intent
  }: Intent & { readonly withPictures: WithPictures | null; readonly texts: PageTexts },
): Promise<EnqueuedRelease> {
  const found = await readSnapshot(repositories, page, home, context, { texts, isStrict: true })
  const [snapshot = found] = withPictures === null ? [] : await withPictures(repositories, [found])
  return enqueue(repositories, context, page, { ...intent, snapshot, restores: null })
}

async function enqueue(
  repositories: Repositories,
  { accountLimits, newId, now }: Pick<ServiceContext, 'accountLimits' | 'newId' | 'now'>,
  page: Page,
  { isAwaited, ...wanted }: Intent & { readonly snapshot: Snapshot; readonly restores: ReleaseId | null },
): Promise<EnqueuedRelease> {
  const id = newId<'rel'>()
  const createdAt = now()
  await repositories.releases.accept({
    ...wanted,
    id,
    projectId: page.projectId,
    pageId: page.id,
    createdAt,
    deadlineAt: isAwaited ? deadlineOf(createdAt, waitedMs()) : null,
  })
  if (putsLive(wanted)) await accountLimits.assertWithin(repositories, page, ['release_bytes'])
  return { id, projectId: page.projectId }
}

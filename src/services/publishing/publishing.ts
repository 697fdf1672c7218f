import type { RecentRelease } from '../../db/repositories/releases.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import type { DryRun } from '../../domain/dry-run.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { type ProjectId, prefixed, type ReleaseId } from '../../domain/ids.ts'
import type { Snapshot } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import type { Project } from '../../domain/project.ts'
import { redirectsInPlaceOf } from '../../domain/redirect-decision.ts'
import { readRedirectPath } from '../../domain/redirect-path.ts'
import type { PastRelease, Release, ReleaseOutcome } from '../../domain/release.ts'
import type { Right } from '../../domain/roles.ts'
import type { RedirectChange } from '../../domain/site-redirect.ts'
import { liftAnswerTime } from '../../platform/answer-time.ts'
import type { PhaseTimes } from '../../publish/phases.ts'
import type { LiveRelease } from '../../publish/queue/publisher.ts'
import { accessPage, accessProject, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import type { OriginalService } from '../media/originals.ts'
import { awaitRelease } from './await-release.ts'
import { type EnqueuedRelease, enqueuePublish, enqueueRemoval, enqueueRollback } from './enqueue-release.ts'
import { assertFewRedirects, decidingSite, readTarget } from './redirect-target.ts'
import { readReleased, readSnapshot } from './snapshots.ts'
import { AWAITED_WAITS } from './social-pictures.ts'

export interface Published {
  readonly page: Page
  readonly outcome: ReleaseOutcome
  readonly timings: Timings
}

/** Time that a publish took, in milliseconds. */
export interface Timings {
  /** Times of the phases; null when another process published it, or it was live before this request. */
  readonly phases: PhaseTimes | null
  readonly totalMs: number
}

/** Options for the deletion of a page. */
export interface RemovalWish {
  /** Target of its addresses from then on, as users write it; null for none. */
  readonly redirectTo: string | null
}

const NO_WISH: RemovalWish = { redirectTo: null }

export interface Removed {
  readonly page: Page
  /** Number of former paths of the page that lead nowhere from now on. */
  readonly lostAddresses: number
}

/** Options of a publish. */
export interface PublishOptions {
  /** Refuses a page that would go live with a warning. */
  readonly strict: boolean
}

export const DEFAULT_OPTIONS: PublishOptions = { strict: false }

export type PublishingService = ReturnType<typeof createPublishingService>

export interface PublishingPorts extends ServiceContext {
  /** Removes what a deleted project had in the media store. */
  readonly originals: Pick<OriginalService, 'wake'>
}

export function createPublishingService(context: PublishingPorts) {
  const { db, publisher, originals, socialPictures, pageTexts, now } = context

  return {
    /**
     * Publishes a page as it is now; resolves when it is live.
     *
     * @param readWish reads the rest of the request, knowing the page, inside the transaction that accepts it; called
     *   once the page is known to be the caller's.
     * @throws {ServiceError} `conflict` when another live page has its path, `validation_error` when it
     *   cannot be rendered or `strict` refuses its warnings, `internal_error` when the store failed.
     * @throws {ReleaseContinues} when it takes longer than a request may, as may every method below.
     */
    async publish(
      caller: Caller,
      ref: string,
      readWish: (page: Page) => PublishOptions = () => DEFAULT_OPTIONS,
    ): Promise<Published> {
      const { page, accepted } = await socialPictures.accept(
        AWAITED_WAITS,
        async (repositories, withPictures, texts) => {
          const found = await accessPage(repositories, caller, ref, ['publish'])
          assertWritable(found.home.project)
          const wish = readWish(found.page)
          const accepted = await acceptOnce(repositories, caller, found.page, () =>
            enqueuePublish(repositories, context, found.page, found.home, {
              ...wish,
              actor: caller,
              undo: null,
              isAwaited: true,
              withPictures,
              texts,
            }),
          )
          return { page: found.page, accepted }
        },
      )
      return { page, ...outcomeOf(accepted, await awaitRelease(publisher, caller, accepted)) }
    },

    /**
     * A dry run of `publish`; nothing is written.
     *
     * @param readWish as for `finish`.
     * @throws {ServiceError} the error that `publish` would throw.
     */
    async plan(
      caller: Caller,
      ref: string,
      readWish: (page: Page) => PublishOptions,
    ): Promise<{ readonly page: Page; readonly plan: DryRun }> {
      const { page, home } = await accessPage(db.read, caller, ref, ['publish'])
      assertWritable(home.project)
      const wish = readWish(page)
      const how = { texts: pageTexts.direct({ urgent: true }), isStrict: true }
      const snapshot = await readSnapshot(db.read, page, home, context, how)
      const release = releaseForDryRun(context, page, await socialPictures.planned(snapshot), wish)
      return { page, plan: await publisher.plan(release) }
    },

    /** Lists releases of a page, newest first, except ones without effect. */
    async history(caller: Caller, ref: string, slice: Slice): Promise<Listed<PastRelease>> {
      const { page } = await accessPage(db.read, caller, ref, ['read'])
      return db.read.releases.history(page.id, slice)
    },

    /**
     * Returns the snapshot that a release of a page published.
     *
     * @param release the id as the client sent it.
     * @param needs rights for a use beyond reading it.
     * @throws {ServiceError} `not_found` when the page has no such release.
     */
    async released(
      caller: Caller,
      ref: string,
      release: string,
      needs: readonly Right[] = ['read'],
    ): Promise<Snapshot> {
      const { page } = await accessPage(db.read, caller, ref, needs)
      return readReleased(db.read, page, release)
    },

    /** The last releases of a project that went live, newest first. */
    async recent(caller: Caller, ref: string, limit: number): Promise<readonly RecentRelease[]> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return db.read.releases.recent(project.id, limit)
    },

    /**
     * Puts an earlier release of a page live again, byte for byte; the stored page does not change.
     *
     * @param readTarget reads which one, as `readWish` of `publish`; null for no id at all.
     * @throws {ServiceError} `validation_error` when the page never went live with it, else as `finish`.
     */
    async rollBack(
      caller: Caller,
      ref: string,
      readTarget: (page: Page) => ReleaseId | null,
    ): Promise<Published> {
      const { page, accepted } = await db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, ['publish'])
        assertWritable(home.project)
        const target = readTarget(page)
        const accepted = await acceptOnce(repositories, caller, page, () =>
          enqueueRollback(repositories, context, page, target, caller),
        )
        return { page, accepted }
      })
      return { page, ...outcomeOf(accepted, await awaitRelease(publisher, caller, accepted)) }
    },

    /**
     * Takes a page off the live site; it becomes a draft.
     *
     * @param check validates the rest of the request, as `readWish` of `publish`.
     * @throws {ServiceError} `not_published` when it is not live.
     */
    async unpublish(
      caller: Caller,
      ref: string,
      check: (page: Page) => void = () => {},
    ): Promise<{ readonly page: Page; readonly unpublishedAt: string }> {
      const { page, accepted } = await db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, ['publish'])
        assertWritable(home.project)
        check(page)
        const accepted = await acceptOnce(repositories, caller, page, () => {
          if (page.status !== 'published') {
            throw new ServiceError('not_published', `Page ${prefixed('page', page.id)} is not published.`)
          }
          const how = { actor: caller, op: 'unpublish', statusAfter: 'draft', lenient: false } as const
          return enqueueRemoval(repositories, context, page, home, how)
        })
        return { page, accepted }
      })
      const { finishedAt } = await awaitRelease(publisher, caller, accepted)
      return { page, unpublishedAt: finishedAt ?? now() }
    },

    /** Lists paths at which a page was or is live: they lead nowhere once it is deleted. */
    async addresses(caller: Caller, ref: string): Promise<readonly string[]> {
      const { page } = await accessPage(db.read, caller, ref, ['read'])
      return db.read.redirects.addressesOf(page.id)
    },

    /**
     * Deletes a page permanently; a live one is taken off the live site first.
     *
     * @param readWish reads the rest of the request; called once the page is known to be the caller's.
     * @throws {ServiceError} `validation_error` for addresses that would lead to the page itself, or nowhere.
     */
    async remove(
      caller: Caller,
      ref: string,
      readWish: (page: Page) => RemovalWish = () => NO_WISH,
    ): Promise<Removed> {
      const { page, lostAddresses, accepted } = await db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, ['write'])
        const isLive = page.status === 'published'
        if (isLive) await accessPage(repositories, caller, ref, ['publish'])
        assertWritable(home.project)
        const { redirectTo } = readWish(page)
        if (redirectTo !== null) await accessPage(repositories, caller, ref, ['publish'])
        const addresses = await repositories.redirects.addressesOf(page.id)
        const redirects =
          redirectTo === null ? undefined : await redirectsTo(repositories, page, addresses, redirectTo)
        // The page exists until its release ends: another conditional change of this version is refused from here on.
        await repositories.pages.update({ ...page, version: page.version + 1 })
        const how = { actor: caller, op: 'delete-page', statusAfter: null, lenient: true } as const
        const all = { ...how, ...(redirects !== undefined && { redirects }) }
        const accepted = await enqueueRemoval(repositories, context, page, home, all)
        return { page, lostAddresses: redirects === undefined ? addresses.length : 0, accepted }
      })
      await awaitRelease(publisher, caller, accepted)
      return { page, lostAddresses }
    },

    /**
     * Deletes an archived project with all its records and its objects in the store.
     *
     * @param check as for `unpublish`.
     * @throws {ServiceError} `conflict` when it is not archived.
     */
    async removeProject(
      caller: Caller,
      ref: string,
      check: (project: Project) => void = () => {},
    ): Promise<ProjectId> {
      const id = await db.write(async (repositories) => {
        const { project } = await accessProject(repositories, caller, ref, ['remove'])
        if (project.status === 'suspended') assertWritable(project)
        check(project)
        if (project.status !== 'archived') {
          throw new ServiceError(
            'conflict',
            'Only an archived project can be deleted; set its status to archived first.',
          )
        }
        await repositories.projects.markDeleted(project.id, now())
        await repositories.visits.deleteOf(project.id)
        await recordAct(repositories, context, caller, {
          act: 'project.delete',
          of: { projectId: project.id },
          target: project.id,
          before: { version: project.version },
        })
        return project.id
      })
      // Its objects are removed for as long as that takes; a later sweep removes the rest.
      liftAnswerTime()
      await publisher.purge(id)
      // Originals that only its releases showed are not needed any more.
      originals.wake()
      return id
    },
  }

  /** The redirects from the addresses of a page that is deleted. */
  async function redirectsTo(
    repositories: Repositories,
    { id, projectId }: Page,
    addresses: readonly string[],
    written: string,
  ): Promise<RedirectChange> {
    const to = await readTarget(repositories, projectId, written, invalidTarget)
    const site = await decidingSite(repositories, projectId, [{ from: '/', to }])
    const ports = { newId: () => context.newId<'rdr'>(), now: now() }
    // The front page of a site has no redirect.
    const paths = addresses.filter((path) => readRedirectPath(path) !== null)
    const change = redirectsInPlaceOf(id, paths, to, site, ports)
    if (change === null) throw invalidTarget('must lead to something else than the page.')
    await assertFewRedirects(repositories, projectId, change)
    return change
  }

  /** A repeated request waits for the release of the first one. */
  async function acceptOnce(
    repositories: Repositories,
    caller: Caller,
    { projectId }: Page,
    accept: () => Promise<EnqueuedRelease>,
  ): Promise<EnqueuedRelease> {
    const id = await withIdempotency(repositories, caller, now(), async () => (await accept()).id)
    return { id, projectId }
  }
}

function invalidTarget(message: string): ServiceError {
  return fieldFailure('invalid_request', [{ path: 'redirect_to', message }])
}

/** A release for a dry run, which is never stored. It comes after all that were accepted. */
function releaseForDryRun(
  { newId, now }: ServiceContext,
  page: Page,
  snapshot: Snapshot,
  { strict }: PublishOptions,
): Release {
  return {
    id: newId<'rel'>(),
    projectId: page.projectId,
    seq: Number.MAX_SAFE_INTEGER,
    pageId: page.id,
    op: 'publish',
    state: 'queued',
    snapshot,
    statusAfter: 'published',
    lenient: false,
    strict,
    restores: null,
    outcome: null,
    failure: null,
    createdAt: now(),
    finishedAt: null,
    deadlineAt: null,
  }
}

/** @throws when a live release has no outcome, which is a bug. */
function outcomeOf(
  { id }: EnqueuedRelease,
  { outcome, times, waitedMs }: LiveRelease,
): Omit<Published, 'page'> {
  if (outcome === null) throw new Error(`Release ${id} is live without an outcome.`)
  return { outcome, timings: { phases: times, totalMs: waitedMs } }
}

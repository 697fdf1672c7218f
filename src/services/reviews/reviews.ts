import type { ProposedPage } from '../../db/repositories/reviews.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Page } from '../../domain/page.ts'
import type { Review } from '../../domain/review.ts'
import { accessPage, accessProject, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'

/** Proposed pages that are listed. */
const LISTED = 100

export type ReviewService = ReturnType<typeof createReviewService>

/** Authors propose pages for publishing; editors publish them or return them with a note. */
export function createReviewService(context: Pick<ServiceContext, 'db' | 'newId' | 'now'>) {
  const { db, now } = context

  return {
    /** Returns null when the page is not under review. */
    async get(caller: Caller, ref: string): Promise<Review | null> {
      const { page } = await accessPage(db.read, caller, ref, ['read'])
      return db.read.reviews.find(page.id)
    },

    /** Pages of a project that wait for an editor. */
    async proposed(caller: Caller, project: string): Promise<readonly ProposedPage[]> {
      const home = await accessProject(db.read, caller, project, ['read'])
      return db.read.reviews.proposed(home.project.id, LISTED)
    },

    /**
     * Proposes a page as it is now, again if it was proposed or returned before.
     *
     * @param readNote reads the note for the editors; called once the page is known to be the caller's.
     */
    async propose(caller: Caller, ref: string, readNote: () => string): Promise<Review> {
      return db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, ['write'])
        assertWritable(home.project)
        const review: Review = {
          pageId: page.id,
          projectId: page.projectId,
          state: 'proposed',
          proposedBy: caller.userId,
          proposedAt: now(),
          version: page.version,
          note: readNote(),
          returnedBy: null,
          returnedAt: null,
        }
        await repositories.reviews.put(review)
        await record(repositories, caller, 'page.propose', page)
        return review
      })
    },

    /** Takes a proposal back. @throws {ServiceError} `conflict` when the page is not under review. */
    async withdraw(caller: Caller, ref: string): Promise<void> {
      await db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, ['write'])
        assertWritable(home.project)
        if (!(await repositories.reviews.delete(page.id))) throw notProposed()
        await record(repositories, caller, 'page.withdraw', page)
      })
    },

    /**
     * Returns a proposed page to its author.
     *
     * @param readNote reads the note for the author; called once the page is known to be the caller's.
     * @throws {ServiceError} `conflict` when the page is not proposed.
     */
    async returnPage(caller: Caller, ref: string, readNote: () => string): Promise<Review> {
      return db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, ['publish'])
        assertWritable(home.project)
        const note = readNote()
        const proposed = await repositories.reviews.find(page.id)
        if (proposed?.state !== 'proposed') throw notProposed()
        const review: Review = {
          ...proposed,
          state: 'returned',
          note,
          returnedBy: caller.userId,
          returnedAt: now(),
        }
        await repositories.reviews.put(review)
        await record(repositories, caller, 'page.return', page)
        return review
      })
    },

    /** Ends the review of a page that has been published. The publish is what the audit log records. */
    async end(caller: Caller, ref: string): Promise<void> {
      await db.write(async (repositories) => {
        const { page } = await accessPage(repositories, caller, ref, ['publish'])
        await repositories.reviews.delete(page.id)
      })
    },
  }

  function record(
    repositories: Repositories,
    caller: Caller,
    act: 'page.propose' | 'page.withdraw' | 'page.return',
    { id, projectId, version }: Page,
  ): Promise<void> {
    return recordAct(repositories, context, caller, {
      act,
      of: { projectId },
      target: id,
      before: { version },
      after: { version },
    })
  }
}

function notProposed(): ServiceError {
  return new ServiceError('conflict', 'The page is not proposed for publishing.')
}

import type { ListedConflict, StoredConflict } from '../../db/repositories/pushes.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { applyEdit } from '../../domain/page.ts'
import { MAX_PUSH_CONFLICTS } from '../../domain/push.ts'
import { deriveForRendering, resolvedFields } from '../../page-text/derive.ts'
import { accessPage, accessProject, assertWritable } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import type { PageDetails, ShownFields } from '../pages/pages.ts'
import type { PageChange } from '../pages/write-page.ts'
import { recordPageSource } from './record-source.ts'

export type PushConflictService = ReturnType<typeof createPushConflictService>

/** Pages that pushes left alone, because they were changed in their files and on the server. */
export function createPushConflictService({ db, now }: Pick<ServiceContext, 'db' | 'now'>) {
  return {
    /** The first 100 by path. */
    async list(caller: Caller, ref: string): Promise<readonly ListedConflict[]> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return db.read.pushes.conflicts(project.id, MAX_PUSH_CONFLICTS)
    },

    /** The number of all conflicts of a project. */
    async count(caller: Caller, ref: string): Promise<number> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return db.read.pushes.countConflicts(project.id)
    },

    /** The conflict of a page; null for none. */
    async ofPage(caller: Caller, ref: string): Promise<StoredConflict | null> {
      const { page } = await accessPage(db.read, caller, ref, ['read'])
      return db.read.pushes.conflictOf(page.id)
    },

    /** Returns the conflict of a page, as `ofPage` does. @throws {ServiceError} `conflict` for a page without one. */
    async required(caller: Caller, ref: string): Promise<StoredConflict> {
      const conflict = await this.ofPage(caller, ref)
      if (conflict === null) throw noConflict()
      return conflict
    },

    /** The page as a change would leave it, which is not stored. */
    edited(
      { page, fields }: Pick<PageDetails, 'page' | 'fields'>,
      readChange: (shown: ShownFields) => PageChange,
    ): Pick<PageDetails, 'page' | 'fields'> {
      const withContent: ShownFields['withContent'] = (content) => resolvedFields({ ...page, ...content })
      const { edit } = readChange({ now: fields, withContent })
      const next = applyEdit(page, edit, { now: now(), derive: deriveForRendering })
      return { page: next, fields: resolvedFields(next) }
    },

    /**
     * Keeps the stored values: the values of the file count as pushed, so they are sent only when the file changes
     * again.
     *
     * @throws {ServiceError} `conflict` when the page has no conflict any more.
     */
    async keepStored(caller: Caller, ref: string): Promise<void> {
      await db.write(async (repositories) => {
        const { page, home } = await accessPage(repositories, caller, ref, ['write'])
        assertWritable(home.project)
        const conflict = await repositories.pushes.conflictOf(page.id)
        if (conflict === null) throw noConflict()
        const { folder, path, fields: unwritten } = conflict
        await recordPageSource(repositories, page, { file: { folder, path }, fields: [], unwritten }, now())
      })
    },
  }
}

function noConflict(): ServiceError {
  return new ServiceError('conflict', 'The page has no conflict with its file any more.')
}

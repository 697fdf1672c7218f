import type { AuditFilter } from '../../db/repositories/audit.ts'
import type { Database } from '../../db/repositories.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Listed, NONE_LISTED, type Slice } from '../../domain/paging.ts'
import { permissionsFor, type Right } from '../../domain/roles.ts'
import { accessProject, assertPermitted } from '../access.ts'

const NEEDS: readonly Right[] = ['audit']

export type AuditQuery = Omit<AuditFilter, 'of'>

export type AuditLogService = ReturnType<typeof createAuditLogService>

export function createAuditLogService({ db }: { readonly db: Pick<Database, 'read' | 'readLate'> }) {
  return {
    /** Lists the changes of a project, newest first. */
    async ofProject(
      caller: Caller,
      ref: string,
      query: AuditQuery,
      slice: Slice,
    ): Promise<Listed<AuditEntry>> {
      const { project } = await accessProject(db.read, caller, ref, NEEDS)
      return list({ ...query, of: { projectId: project.id } }, slice)
    },

    /**
     * Lists the changes in the caller's account, of deleted projects too, newest first. A key of one project sees only
     * the changes of that project.
     */
    async ofAccount(caller: Caller, query: AuditQuery, slice: Slice): Promise<Listed<AuditEntry>> {
      assertPermitted(caller, permissionsFor(NEEDS))
      const { userId, projectScope } = caller
      if (projectScope === null) return list({ ...query, of: { userId } }, slice)
      // A member's key may be of a project of another account. Deleted projects have an owner too.
      const isOwn = (await db.read.projects.ownerOf(projectScope)) === userId
      return isOwn ? list({ ...query, of: { projectId: projectScope } }, slice) : NONE_LISTED
    },
  }

  function list(filter: AuditFilter, slice: Slice): Promise<Listed<AuditEntry>> {
    return db.readLate(({ audit }) => audit.list(filter, slice))
  }
}

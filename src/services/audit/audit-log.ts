import type { AuditFilter } from '../../db/repositories/audit.ts'
import type { Listed } from '../../db/repositories/paging.ts'
import type { Database } from '../../db/repositories.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { Caller, Permission } from '../../domain/caller.ts'
import { accessProject, assertPermitted } from '../access.ts'

/** The log names credentials and addresses of people, so that not everyone who may read a page may read it. */
const NEEDS: readonly Permission[] = ['manage']

export type AuditQuery = Omit<AuditFilter, 'of'>

interface Slice {
  readonly limit: number
  readonly offset: number
}

export type AuditLogService = ReturnType<typeof createAuditLogService>

export function createAuditLogService({ db }: { readonly db: Pick<Database, 'read'> }) {
  return {
    /** What was done to a project, newest first. */
    async ofProject(
      caller: Caller,
      ref: string,
      query: AuditQuery,
      slice: Slice,
    ): Promise<Listed<AuditEntry>> {
      const { project } = await accessProject(db.read, caller, ref, NEEDS)
      return db.read.audit.list({ ...query, of: { projectId: project.id } }, slice)
    },

    /**
     * What was done in the caller's account, to deleted projects too, newest first. A key of one project sees what was
     * done to that project.
     */
    async ofAccount(caller: Caller, query: AuditQuery, slice: Slice): Promise<Listed<AuditEntry>> {
      assertPermitted(caller, NEEDS)
      const { userId, projectScope } = caller
      const of = projectScope === null ? { userId } : { projectId: projectScope }
      return db.read.audit.list({ ...query, of }, slice)
    },
  }
}

import type { Database } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { assertPermitted } from '../access.ts'
import type { AccountLimitService, AccountReport } from './account-limits.ts'

export type UsageService = ReturnType<typeof createUsageService>

export function createUsageService({
  db,
  accountLimits,
}: {
  readonly db: Database
  readonly accountLimits: AccountLimitService
}) {
  return {
    /** Reports usage and limits of the caller's account. A key of one project sees the pages of that project only. */
    async ofCaller(caller: Caller): Promise<Omit<AccountReport, 'ownLimits'>> {
      assertPermitted(caller, ['read'])
      const report = await accountLimits.report(caller.userId, db)
      if (caller.projectScope === null) return report
      // It is null once it was deleted. A project of another account counts against the limits of that account.
      const found = await db.read.projects.find(caller.projectScope)
      const own = found?.project.userId === caller.userId ? found : null
      return {
        ...report,
        used: { ...report.used, pages_per_project: own?.pageCount ?? 0 },
        largestProject: own?.project.id ?? null,
      }
    },
  }
}

import type { Account } from '../../db/repositories/accounts.ts'
import type { Database, Repositories } from '../../db/repositories.ts'
import {
  ACCOUNT_LIMITS,
  type AccountLimit,
  type AccountLimits,
  type AccountUsage,
  accountLimits,
  exceededMessage,
  type PlanLimits,
} from '../../domain/account-limits.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ProjectId, UserId } from '../../domain/ids.ts'

/** An account, or the account of a project. */
export type AccountRef = { readonly userId: UserId } | { readonly projectId: ProjectId }

/** Usage and limits of an account, and its project with the most pages. */
export interface AccountReport {
  readonly used: AccountUsage
  readonly allowed: AccountLimits
  /** Limits that the operator has set for the account; null for none. */
  readonly ownLimits: Partial<AccountLimits> | null
  readonly largestProject: ProjectId | null
}

export type AccountLimitService = ReturnType<typeof createAccountLimits>

/**
 * Checks the usage of accounts against the limits of their plans. The operator can change the limits of each account.
 */
export function createAccountLimits({
  planLimits,
  now,
}: {
  readonly planLimits: PlanLimits
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}) {
  return {
    /**
     * Call it after the write, in its transaction, which a rejection rolls back: the count is then exact.
     *
     * @param names the limits that the write can exceed.
     * @throws {ServiceError} `forbidden` that names the limit and its number.
     */
    async assertWithin(
      repositories: Repositories,
      ref: AccountRef,
      names: readonly AccountLimit[],
    ): Promise<void> {
      const exceeded = await findExceeded(repositories, ref, names)
      if (exceeded !== null) throw new ServiceError('forbidden', exceeded)
    },

    findExceeded,

    /**
     * Refuses early what would exceed a limit. Another write may take the room meanwhile, so it does not replace
     * `assertWithin`.
     *
     * @throws {ServiceError} `forbidden` that names the limit and its number.
     */
    async assertRoomFor(
      repositories: Repositories,
      account: Account,
      name: AccountLimit,
      amount: number,
    ): Promise<void> {
      const allowed = await allowedTo(repositories, account)
      if (account.usage[name] + amount > allowed[name])
        throw new ServiceError('forbidden', exceededMessage(name, allowed[name]))
    },

    /** @throws {ServiceError} `not_found`. */
    async report(userId: UserId, { read }: Pick<Database, 'read'>): Promise<AccountReport> {
      const account = await read.accounts.ofUser(userId)
      if (account === null) throw new ServiceError('not_found', 'No user has this id.')
      return {
        used: account.usage,
        ownLimits: account.ownLimits,
        allowed: await allowedTo(read, account),
        largestProject: await read.accounts.largestProject(userId),
      }
    },

    allowedTo,
  }

  /** Returns a message for the first of these limits that the account exceeds; null when it exceeds none. */
  async function findExceeded(
    repositories: Repositories,
    ref: AccountRef,
    names: readonly AccountLimit[],
  ): Promise<string | null> {
    const { accounts } = repositories
    const account = await ('userId' in ref ? accounts.ofUser(ref.userId) : accounts.ofProject(ref.projectId))
    if (account === null) return null
    const allowed = await allowedTo(repositories, account)
    const name = ACCOUNT_LIMITS.find((one) => names.includes(one) && account.usage[one] > allowed[one])
    return name === undefined ? null : exceededMessage(name, allowed[name])
  }

  async function allowedTo({ accounts }: Repositories, account: Account): Promise<AccountLimits> {
    return accountLimits(await accounts.plansOf(account.userId, now()), account.ownLimits, planLimits)
  }
}

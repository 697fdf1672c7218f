import type { AccountLimits, AccountUsage } from '../../domain/account-limits.ts'
import type { Plan } from '../../domain/caller.ts'
import type { ProjectId, UserId } from '../../domain/ids.ts'

export interface User {
  readonly id: UserId
  readonly email: string
  readonly canCreateProjects: boolean
  readonly createdAt: string
}

export interface UserRepository {
  /** @throws {ServiceError} `conflict` when the e-mail address is taken. */
  insert(user: User): Promise<void>
  find(id: UserId): Promise<User | null>
  /** As `findByEmail`, in any spelling of the address. */
  findByAddress(email: string): Promise<User | null>
  findByEmail(email: string): Promise<User | null>
  /** The user with this address in any case, and the hash of the password; null when there is none, or several. */
  credentials(email: string): Promise<{ readonly user: User; readonly passwordHash: string | null } | null>
  /** Null for a user without a password. */
  passwordHash(id: UserId): Promise<string | null>
  setPasswordHash(id: UserId, hash: string): Promise<void>
  /** Invitations of the address stay unanswered. @throws {ServiceError} `conflict` when it is taken. */
  setEmail(id: UserId, email: string): Promise<void>
  /**
   * Deletes a user whom an invitation created and who never chose a password. Their invitations wait again.
   *
   * @returns false for any other user, who stays.
   */
  deleteUnused(id: UserId): Promise<boolean>
  /** Whether any user has a password. */
  hasPasswords(): Promise<boolean>
  /** In order of creation. */
  list(): Promise<readonly User[]>
  /** The oldest user; null when there is none. */
  first(): Promise<User | null>
}

/** What an account stores, counted in the transactions of the writes. */
export interface Account {
  readonly userId: UserId
  readonly usage: AccountUsage
  /** Limits that the operator has set for the account; null for none. */
  readonly ownLimits: Partial<AccountLimits> | null
}

export interface AccountRepository {
  /** Ids of all accounts. */
  ids(): Promise<readonly UserId[]>
  /** Null when there is no such user. */
  ofUser(id: UserId): Promise<Account | null>
  /** The account of a project, with the pages of that project. Null when the project does not exist. */
  ofProject(id: ProjectId): Promise<Account | null>
  /** The plans of an account's keys that are neither revoked nor expired. */
  plansOf(id: UserId, now: string): Promise<readonly Plan[]>
  /** The project with the most pages; null without any project. */
  largestProject(id: UserId): Promise<ProjectId | null>
  /** Replaces the account's own limits. */
  setLimits(id: UserId, limits: Partial<AccountLimits> | null): Promise<void>
}

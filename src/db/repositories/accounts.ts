import type { AccountLimits, AccountUsage } from '../../domain/account-limits.ts'
import type { Plan } from '../../domain/caller.ts'
import type { ProjectId, UserId } from '../../domain/ids.ts'

export interface NewUser {
  readonly id: UserId
  /** Address as it was written. */
  readonly email: string
  readonly canCreateProjects: boolean
  readonly createdAt: string
  /** When the operator or a mailed link proved the address; absent or null while nothing has. */
  readonly verifiedAt?: string | null
}

export interface User extends NewUser {
  readonly verifiedAt: string | null
  /** When the operator locked the account; null for one that can be used. */
  readonly lockedAt: string | null
  /** When the browsers became unknown in which the user had signed in; null for never. */
  readonly browsersKnownAfter: string | null
}

export interface UserRepository {
  /** @throws {ServiceError} `conflict` when a user has the e-mail address in any spelling. */
  insert(user: NewUser): Promise<User>
  find(id: UserId): Promise<User | null>
  /** In any spelling of the address. */
  findByAddress(email: string): Promise<User | null>
  /** Finds a user like `findByAddress`, with the hash of the password. */
  credentials(email: string): Promise<{ readonly user: User; readonly passwordHash: string | null } | null>
  /** Returns the hash of the password; null for a user without one. */
  passwordHash(id: UserId): Promise<string | null>
  setPasswordHash(id: UserId, hash: string): Promise<void>
  /** Makes the browsers unknown in which the user has signed in before. */
  forgetBrowsers(id: UserId, now: string): Promise<void>
  /**
   * Invitations of the address stay unanswered.
   *
   * @param verifiedAt null for an address that nothing has proved.
   * @throws {ServiceError} `conflict` when another user has it in any spelling.
   */
  setEmail(id: UserId, email: string, verifiedAt: string | null): Promise<void>
  /** Records that the address was proved. */
  verify(id: UserId, now: string): Promise<void>
  /** Locks the account, or unlocks it: null. */
  setLocked(id: UserId, lockedAt: string | null): Promise<void>
  /** Ends every way to use the account but its password and its sessions: passkeys, codes, keys, a change of the address. */
  endAccess(id: UserId, now: string): Promise<void>
  /**
   * Erases the data of a person: address, ways to sign in, sessions, links, mails, memberships. Revokes the keys. The
   * id stays for what names it, and is found no more. Call it when the user has no project.
   */
  erase(id: UserId, now: string): Promise<void>
  /** Gives another user the keys, the memberships and the authorship of pages that this one has. */
  move(from: UserId, to: UserId): Promise<void>
  /** Reports whether any user has a password. */
  hasPasswords(): Promise<boolean>
  /** In order of creation. */
  list(): Promise<readonly User[]>
  /** Users whose address another user has in another spelling, since before addresses were unique. */
  withoutAddress(): Promise<readonly User[]>
  /** The oldest user; null when there is none. */
  first(): Promise<User | null>
}

/** Usage of an account and limits of its own. Usage is counted in the transactions of the writes. */
export interface Account {
  readonly userId: UserId
  readonly usage: AccountUsage
  /** Limits that the operator has set for the account; null for none. */
  readonly ownLimits: Partial<AccountLimits> | null
}

export interface AccountRepository {
  /** Ids of all accounts. */
  ids(): Promise<readonly UserId[]>
  /** Finds the account of a user; null when there is no such user. */
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

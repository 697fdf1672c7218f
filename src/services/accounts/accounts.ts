import type { NewUser, User } from '../../db/repositories/accounts.ts'
import type { ApiKey } from '../../db/repositories/keys.ts'
import type { Database, Repositories } from '../../db/repositories.ts'
import type { AccountLimits } from '../../domain/account-limits.ts'
import { type Act, OPERATOR } from '../../domain/audit.ts'
import type { Permission, Plan } from '../../domain/caller.ts'
import { INVALID_ADDRESS, isPlaceholder, PLACEHOLDER, parseAddress } from '../../domain/email-address.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { KeyId, ProjectId, UserId } from '../../domain/ids.ts'
import type { Allowance } from '../../domain/rate-limit.ts'
import { hashApiKey, newApiKey } from '../../secrets/api-key.ts'
import { roleIn } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import { recordKey } from '../audit/record-key.ts'
import { transferProject } from '../members/transfer-project.ts'
import type { NewId } from '../new-id.ts'
import type { AccountLimitService, AccountReport } from './account-limits.ts'
import { eraseUser } from './erase-user.ts'

export interface NewKey {
  /** Owner of the key; null for the first user, who is created if needed. */
  readonly userId: UserId | null
  readonly projectScope: ProjectId | null
  readonly name: string
  readonly plan: Plan
  /** Limits of an enterprise key. */
  readonly limits?: Partial<Allowance> | null
  readonly permissions: readonly Permission[]
  readonly expiresAt: string | null
}

/** Options for the deletion of a user. */
export interface UserRemoval {
  readonly transferTo: UserId | null
  readonly deletesProjects: boolean
  readonly isConfirmed: boolean
}

export type AccountService = ReturnType<typeof createAccountService>

export interface AccountPorts {
  readonly db: Database
  readonly accountLimits: AccountLimitService
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** Called when a key was revoked, so that this process refuses it at once. */
  readonly onRevoked?: () => void
}

/** Users and their API keys, managed by the operator. */
export function createAccountService({ db, accountLimits, newId, now, onRevoked = () => {} }: AccountPorts) {
  return {
    /**
     * Creates a user whose address the operator answers for.
     *
     * @throws {ServiceError} `validation_error` for text that is no e-mail address; `conflict` when a user has it in
     *   any spelling.
     */
    async createUser(email: string, canCreateProjects: boolean): Promise<User> {
      const address = parseAddress(email)
      if (address === null) throw invalidAddress()
      const createdAt = now()
      const verifiedAt = isPlaceholder(address.key) ? null : createdAt
      const user = { id: newId<'usr'>(), email: address.written, canCreateProjects, createdAt, verifiedAt }
      return db.write((repositories) => insertUser(repositories, user))
    },

    /** The first user of the installation, created if needed; may create projects. */
    async firstUser(): Promise<User> {
      return db.write(async (repositories) => {
        const first = await repositories.users.first()
        if (first !== null) return first
        const user = { id: newId<'usr'>(), email: PLACEHOLDER, canCreateProjects: true, createdAt: now() }
        return insertUser(repositories, user)
      })
    },

    /**
     * @returns the key as well: only its hash is stored.
     * @throws {ServiceError} `not_found` when the user or the project does not exist, or the user is no member of it.
     */
    async createKey(wanted: NewKey): Promise<{ readonly record: ApiKey; readonly key: string }> {
      const userId = wanted.userId ?? (await this.firstUser()).id
      const key = newApiKey()
      const limits = wanted.limits ?? null
      const record: ApiKey = {
        ...wanted,
        limits,
        userId,
        id: newId<'key'>(),
        revokedAt: null,
        formerUntil: null,
        createdAt: now(),
        version: 1,
      }
      await db.write(async (repositories) => {
        const { users, projects, keys } = repositories
        if ((await users.find(userId)) === null) throw noUser()
        if (wanted.projectScope !== null) {
          const found = await projects.find(wanted.projectScope)
          if (found === null || (await roleIn(repositories, { userId }, found.project)) === null)
            throw new ServiceError('not_found', 'The user has no project with this id.')
        }
        await keys.insert(record, hashApiKey(key))
        await recordKey(repositories, { newId, now }, OPERATOR, {
          act: 'key.create',
          before: null,
          after: record,
        })
      })
      return { record, key }
    },

    listUsers(): Promise<readonly User[]> {
      return db.read.users.list()
    },

    /** @throws {ServiceError} `not_found`. */
    user: (id: UserId): Promise<User> => userOf(db.read, id),

    /** @throws {ServiceError} `not_found`. */
    async userByEmail(email: string): Promise<User> {
      const user = await db.read.users.findByAddress(email)
      if (user === null) throw new ServiceError('not_found', `No user has the address ${email}.`)
      return user
    },

    /**
     * Locks an account: its sessions end, and its keys, preview links and every way to sign in are refused, here at
     * once and in other processes within 5 s. Its projects stay live, and members continue.
     *
     * @param options.isConfirmed whether the last account that may create projects can be locked.
     * @throws {ServiceError} `not_found`; `conflict` when it is locked, or would be the last one.
     */
    async lock(id: UserId, { isConfirmed }: { readonly isConfirmed: boolean }): Promise<void> {
      await db.write(async (repositories) => {
        const { users, sessions } = repositories
        const user = await userOf(repositories, id)
        if (user.lockedAt !== null) throw new ServiceError('conflict', 'The account is locked already.')
        if (!isConfirmed) await assertNotLast(repositories, user)
        await users.setLocked(id, now())
        await sessions.deleteOthers(id, null)
        await record(repositories, 'user.lock', id)
      })
      onRevoked()
    },

    /** Unlocks an account. Its sessions stay ended. @throws {ServiceError} `not_found`; `conflict` when not locked. */
    async unlock(id: UserId): Promise<void> {
      await db.write(async (repositories) => {
        const user = await userOf(repositories, id)
        if (user.lockedAt === null) throw new ServiceError('conflict', 'The account is not locked.')
        await repositories.users.setLocked(id, null)
        await record(repositories, 'user.unlock', id)
      })
      onRevoked()
    },

    /**
     * Deletes a user: every credential ends, and the personal data is erased. Pages and files in projects of others
     * stay with their project, and the audit log keeps the id.
     *
     * @param options.transferTo the user who gets the projects; null for none.
     * @param options.deletesProjects whether the projects are deleted.
     * @param options.isConfirmed as for `lock`.
     * @throws {ServiceError} `not_found`; `conflict` when the user has projects and none of both is given, and as
     *   `lock`.
     */
    async remove(id: UserId, options: UserRemoval): Promise<readonly ProjectId[]> {
      const ids = await db.write(async (repositories) => {
        const { projects } = repositories
        const user = await userOf(repositories, id)
        const owned = await projects.ownedBy(id)
        const existing = owned.filter(({ isDeleted }) => !isDeleted).map((project) => project.id)
        if (existing.length > 0 && options.transferTo === null && !options.deletesProjects)
          throw new ServiceError(
            'conflict',
            `The user has ${existing.length === 1 ? 'a project' : `${existing.length} projects`}. Give --transfer-to a user, or --delete-projects.`,
          )
        if (!options.isConfirmed) await assertNotLast(repositories, user)
        for (const project of existing)
          if (options.transferTo !== null) await give(repositories, project, options.transferTo)
          else await removeProject(repositories, project)
        await eraseUser(repositories, user, now())
        await record(repositories, 'user.delete', id)
        return existing
      })
      onRevoked()
      return ids
    },

    /**
     * Gives a project to the account of another user. The owner of before stays as a member with the role `owner`.
     *
     * @throws {ServiceError} `not_found` for the project or the user; `conflict` when the user has it, or is locked.
     */
    async transferProject(id: ProjectId, to: UserId): Promise<void> {
      await db.write(async (repositories) => {
        const found = await repositories.projects.find(id)
        if (found === null) throw new ServiceError('not_found', 'No project has this id.')
        const from = await userOf(repositories, found.project.userId)
        await assertReceiver(repositories, id, to)
        await transferProject(repositories, { newId, now }, { id, from, to })
        await recordTransfer(repositories, id)
      })
      onRevoked()
    },

    /** The projects that belong to a user's account, without deleted ones. @throws {ServiceError} `not_found`. */
    async projectsOf(id: UserId): Promise<readonly ProjectId[]> {
      await userOf(db.read, id)
      return (await db.read.projects.ownedBy(id)).flatMap((owned) => (owned.isDeleted ? [] : [owned.id]))
    },

    /**
     * Gives a user another address, which the operator answers for.
     *
     * @throws {ServiceError} `not_found`; `validation_error` for text that is no e-mail address; `conflict` when
     *   another user has it.
     */
    async setEmail(id: UserId, email: string): Promise<User> {
      const address = parseAddress(email)
      if (address === null || isPlaceholder(address.key)) throw invalidAddress()
      return db.write(async (repositories) => {
        await userOf(repositories, id)
        await repositories.emailChanges.delete(id)
        await repositories.users.setEmail(id, address.written, now())
        await record(repositories, 'user.set_email', id)
        return userOf(repositories, id)
      })
    },

    /**
     * Gives another user what a user has: projects, memberships, keys, authorship of pages. Then the user is erased.
     *
     * @throws {ServiceError} `not_found`; `conflict` for one user with itself, and when both have a domain.
     */
    async merge(from: UserId, into: UserId): Promise<void> {
      await db.write(async (repositories) => {
        const { users, projects } = repositories
        const user = await users.find(from)
        if (user === null || (await users.find(into)) === null) throw noUser()
        if (from === into) throw new ServiceError('conflict', 'Both are the same user.')
        for (const { id, isDeleted } of await projects.ownedBy(from)) {
          await projects.transfer(id, into)
          if (!isDeleted) await recordTransfer(repositories, id)
        }
        await users.move(from, into)
        await eraseUser(repositories, user, now())
        const act = { act: 'user.merge', of: { userId: into }, target: from } as const
        await recordAct(repositories, { newId, now }, OPERATOR, act)
      })
      onRevoked()
    },

    /** Reports usage and limits of the account. @throws {ServiceError} `not_found`. */
    usage: (id: UserId): Promise<AccountReport> => accountLimits.report(id, db),

    /**
     * Sets limits of the account in place of those of its plan. Running servers apply them at once.
     *
     * @param changes the limits to change; null removes all of the account's own.
     * @throws {ServiceError} `not_found`.
     */
    async setLimits(id: UserId, changes: Partial<AccountLimits> | null): Promise<void> {
      await db.write(async (repositories) => {
        const { accounts } = repositories
        const account = await accounts.ofUser(id)
        if (account === null) throw noUser()
        await accounts.setLimits(id, changes && { ...account.ownLimits, ...changes })
        await recordAct(repositories, { newId, now }, OPERATOR, {
          act: 'user.set_limits',
          of: { userId: id },
          target: id,
          fields: Object.keys(changes ?? account.ownLimits ?? {}),
        })
      })
    },

    listKeys(): Promise<readonly ApiKey[]> {
      return db.read.keys.list()
    },

    /** Revokes a key: this process refuses it at once, others within 5 s. @throws {ServiceError} `not_found`. */
    async revokeKey(id: KeyId): Promise<void> {
      const found = await db.write(async (repositories) => {
        const before = await repositories.keys.find(id)
        if (before !== null && before.revokedAt === null)
          await recordKey(repositories, { newId, now }, OPERATOR, {
            act: 'key.revoke',
            before,
            after: null,
          })
        return repositories.keys.revoke(id, now())
      })
      onRevoked()
      if (!found) throw new ServiceError('not_found', 'No key has this id.')
    },
  }

  async function userOf({ users }: Repositories, id: UserId): Promise<User> {
    const user = await users.find(id)
    if (user === null) throw noUser()
    return user
  }

  function record(repositories: Repositories, act: Act, id: UserId): Promise<void> {
    return recordAct(repositories, { newId, now }, OPERATOR, { act, of: { userId: id }, target: id })
  }

  /** An installation without such an account takes no project more, which is rarely meant. */
  async function assertNotLast({ users }: Repositories, { id, canCreateProjects }: User): Promise<void> {
    if (!canCreateProjects) return
    const others = (await users.list()).filter((user) => user.canCreateProjects && user.lockedAt === null)
    if (!others.some((user) => user.id !== id))
      throw new ServiceError('conflict', 'No other account may create projects. Give --yes if you mean it.')
  }

  async function give(repositories: Repositories, id: ProjectId, to: UserId): Promise<void> {
    await assertReceiver(repositories, id, to)
    await repositories.projects.transfer(id, to)
    await recordTransfer(repositories, id)
  }

  /** @throws {ServiceError} `not_found`; `conflict` when the user has the project, or is locked. */
  async function assertReceiver(repositories: Repositories, id: ProjectId, to: UserId): Promise<void> {
    const receiver = await userOf(repositories, to)
    if (receiver.lockedAt !== null)
      throw new ServiceError('conflict', `The account ${receiver.email} is locked.`)
    if ((await repositories.projects.ownerOf(id)) === to)
      throw new ServiceError('conflict', 'The project belongs to this user already.')
  }

  function recordTransfer(repositories: Repositories, id: ProjectId): Promise<void> {
    const act = { act: 'project.transfer', of: { projectId: id }, target: id } as const
    return recordAct(repositories, { newId, now }, OPERATOR, act)
  }

  /** Services remove its objects: they look for deleted projects by themselves. */
  async function removeProject(repositories: Repositories, id: ProjectId): Promise<void> {
    await repositories.projects.markDeleted(id, now())
    await repositories.visits.deleteOf(id)
    const act = { act: 'project.delete', of: { projectId: id }, target: id } as const
    await recordAct(repositories, { newId, now }, OPERATOR, act)
  }

  async function insertUser(repositories: Repositories, wanted: NewUser): Promise<User> {
    const user = await repositories.users.insert(wanted)
    await recordAct(repositories, { newId, now }, OPERATOR, {
      act: 'user.create',
      of: { userId: user.id },
      target: user.id,
    })
    return user
  }
}

function noUser(): ServiceError {
  return new ServiceError('not_found', 'No user has this id.')
}

function invalidAddress(): ServiceError {
  return fieldFailure('validation_error', [{ path: 'email', message: INVALID_ADDRESS, code: 'wrong_format' }])
}

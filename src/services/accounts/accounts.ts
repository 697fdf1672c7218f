import type { User } from '../../db/repositories/accounts.ts'
import type { ApiKey } from '../../db/repositories/keys.ts'
import type { Database, Repositories } from '../../db/repositories.ts'
import type { AccountLimits } from '../../domain/account-limits.ts'
import { OPERATOR } from '../../domain/audit.ts'
import type { Permission, Plan } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { KeyId, ProjectId, UserId } from '../../domain/ids.ts'
import type { Allowance } from '../../domain/rate-limit.ts'
import { hashApiKey, newApiKey } from '../../secrets/api-key.ts'
import { roleIn } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import { recordKey } from '../audit/record-key.ts'
import type { NewId } from '../new-id.ts'
import type { AccountLimitService, AccountReport } from './account-limits.ts'

/** E-mail address of the user that an installation without users gets. */
const FIRST_USER = 'owner@localhost'

export interface NewKey {
  /** Null: the first user, who is created if needed. */
  readonly userId: UserId | null
  readonly projectScope: ProjectId | null
  readonly name: string
  readonly plan: Plan
  /** Limits of an enterprise key. */
  readonly limits?: Partial<Allowance> | null
  readonly permissions: readonly Permission[]
  readonly expiresAt: string | null
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
    /** @throws {ServiceError} `conflict` when the e-mail address is taken. */
    async createUser(email: string, canCreateProjects: boolean): Promise<User> {
      const user: User = { id: newId<'usr'>(), email, canCreateProjects, createdAt: now() }
      await db.write((repositories) => insertUser(repositories, user))
      return user
    },

    /** The first user of the installation, created if needed; may create projects. */
    async firstUser(): Promise<User> {
      return db.write(async (repositories) => {
        const first = await repositories.users.first()
        if (first !== null) return first
        const user: User = {
          id: newId<'usr'>(),
          email: FIRST_USER,
          canCreateProjects: true,
          createdAt: now(),
        }
        await insertUser(repositories, user)
        return user
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
        if ((await users.find(userId)) === null) throw new ServiceError('not_found', 'No user has this id.')
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
    async userByEmail(email: string): Promise<User> {
      const user = await db.read.users.findByEmail(email)
      if (user === null) throw new ServiceError('not_found', `No user has the address ${email}.`)
      return user
    },

    /** What the account stores and may store. @throws {ServiceError} `not_found`. */
    usage: (id: UserId): Promise<AccountReport> => accountLimits.report(id, db),

    /**
     * Sets limits of the account that replace those of its plan. Running servers apply them at once.
     *
     * @param changes the limits to change; null removes all of the account's own.
     * @throws {ServiceError} `not_found`.
     */
    async setLimits(id: UserId, changes: Partial<AccountLimits> | null): Promise<void> {
      await db.write(async (repositories) => {
        const { accounts } = repositories
        const account = await accounts.ofUser(id)
        if (account === null) throw new ServiceError('not_found', 'No user has this id.')
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

    /** This process refuses the key at once, others within 5 s. @throws {ServiceError} `not_found`. */
    async revokeKey(id: KeyId): Promise<void> {
      const found = await db.write(async (repositories) => {
        const before = await repositories.keys.find(id)
        if (before !== null && before.key.revokedAt === null)
          await recordKey(repositories, { newId, now }, OPERATOR, {
            act: 'key.revoke',
            before: before.key,
            after: null,
          })
        return repositories.keys.revoke(id, now())
      })
      onRevoked()
      if (!found) throw new ServiceError('not_found', 'No key has this id.')
    },
  }
  async function insertUser(repositories: Repositories, user: User): Promise<void> {
    await repositories.users.insert(user)
    await recordAct(repositories, { newId, now }, OPERATOR, {
      act: 'user.create',
      of: { userId: user.id },
      target: user.id,
    })
  }
}

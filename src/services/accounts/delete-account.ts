import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { addressKey } from '../../domain/email-address.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import type { RelyingParty } from '../../domain/relying-party.ts'
import { recordAct } from '../audit/record-act.ts'
import { createConfirmPassword, sessionEnded } from './confirm-password.ts'
import { eraseUser } from './erase-user.ts'
import type { PasskeyService } from './passkeys.ts'
import { ownSession } from './session-caller.ts'
import type { SignInPorts } from './sign-in.ts'

/** A project that keeps a person from deleting the account. */
export interface OwnProject {
  readonly id: ProjectId
  readonly name: string
  /** The address that the project is offered to; null for none. */
  readonly offeredTo: string | null
}

export type AccountDeletionService = ReturnType<typeof createAccountDeletionService>

/** Lets users delete their own account, after their password or a passkey, and once no project belongs to it. */
export function createAccountDeletionService(
  ports: SignInPorts & {
    readonly passkeys: Pick<PasskeyService, 'withPasskey'>
    /** Called when an account was deleted, so that this process refuses its keys at once. */
    readonly onDeleted: () => void
  },
) {
  const { db, now, passkeys, onDeleted } = ports
  const { withPassword } = createConfirmPassword(ports)

  return {
    /** Projects of the caller's account, each of which is transferred or deleted first. */
    async ownProjects(caller: Caller): Promise<readonly OwnProject[]> {
      ownSession(caller)
      const { projects, transferOffers } = db.read
      const owned = (await projects.ownedBy(caller.userId)).filter(({ isDeleted }) => !isDeleted)
      const found = await Promise.all(
        owned.map(async ({ id }) => {
          const record = await projects.find(id)
          const offer = await transferOffers.ofProject(id)
          const offeredTo = offer !== null && now() < offer.expiresAt ? offer.email : null
          return record === null ? null : { id, name: record.project.name, offeredTo }
        }),
      )
      return found.filter((project) => project !== null)
    },

    /**
     * Deletes the caller's account. Its personal data is erased; pages and files in projects of others stay there.
     *
     * @param email the address of the account, as the person typed it.
     * @throws {ServiceError} `validation_error` for `email` or `current_password`; `conflict` while a project belongs
     *   to the account, and for the last account that may create projects; as `withPassword`.
     */
    async withPassword(caller: Caller, email: string, password: string): Promise<void> {
      assertOwnAddress(caller, email)
      await withPassword(caller, password, (repositories) => remove(repositories, caller))
      onDeleted()
    },

    /**
     * Does the same as `withPassword`, with a passkey.
     *
     * @param response JSON of the browser.
     */
    async withPasskey(caller: Caller, email: string, response: string, party: RelyingParty): Promise<void> {
      assertOwnAddress(caller, email)
      await passkeys.withPasskey(caller, response, party, (repositories) => remove(repositories, caller))
      onDeleted()
    },
  }

  async function remove(repositories: Repositories, caller: Caller): Promise<void> {
    const { userId } = caller
    const { users, projects } = repositories
    const user = await users.find(userId)
    if (user === null) throw sessionEnded()
    if ((await projects.ownedBy(userId)).some(({ isDeleted }) => !isDeleted))
      throw new ServiceError(
        'conflict',
        'Projects belong to your account. Transfer or delete each of them first.',
      )
    const others = (await users.list()).filter((other) => other.canCreateProjects && other.lockedAt === null)
    if (user.canCreateProjects && !others.some(({ id }) => id !== userId))
      throw new ServiceError(
        'conflict',
        'No other account may create projects. The operator of the service deletes this one.',
      )
    const act = { act: 'user.delete', of: { userId }, target: userId } as const
    await recordAct(repositories, ports, caller, act)
    await eraseUser(repositories, user, now())
  }
}

/** @throws {ServiceError} `validation_error`. */
function assertOwnAddress({ email }: Caller, typed: string): void {
  if (addressKey(typed) === addressKey(email)) return
  throw fieldFailure('validation_error', [
    { path: 'email', message: 'is not the address of your account.', code: 'invalid' },
  ])
}

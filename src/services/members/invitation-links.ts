import type { LinkedMember } from '../../db/repositories/members.ts'
import type { Repositories } from '../../db/repositories.ts'
import { SERVICE } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { addressKey } from '../../domain/email-address.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { isOpenAt } from '../../domain/member.ts'
import { passwordError } from '../../domain/password-rule.ts'
import type { Role } from '../../domain/roles.ts'
import { hashBearerToken, isBearerTokenForm } from '../../secrets/bearer-token.ts'
import { accessOwn } from '../access.ts'
import { type Client, type SessionWithToken, startSession } from '../accounts/new-session.ts'
import { ownSession } from '../accounts/session-caller.ts'
import type { SignInPorts } from '../accounts/sign-in.ts'
import { recordAct } from '../audit/record-act.ts'
import { declineInvitation, joinProject, notOpen } from './join-project.ts'

/** An invitation as the page of its link shows it. */
export interface LinkedInvitation {
  readonly project: { readonly id: ProjectId; readonly name: string }
  readonly role: Role
  /** The address that was invited. */
  readonly email: string
  /** The address of the person who invited; null when that person is deleted. */
  readonly from: string | null
  readonly expiresAt: string
}

export type InvitationLinkService = ReturnType<typeof createInvitationLinkService>

/**
 * Links to invitations. A link lets its holder join one project, with an account or by a new one. The link in a mail
 * proves the address as well; the one that is shown to the person who invites does not.
 */
export function createInvitationLinkService(ports: SignInPorts) {
  const { db, newId, now, passwords } = ports

  return {
    /** Returns null when the link was used, replaced or has expired. Changes nothing. */
    async find(token: string): Promise<LinkedInvitation | null> {
      const found = await linked(db.read, token)
      if (found === null) return null
      const { projectId, role, email, invitedBy, expiresAt } = found.member
      const record = await db.read.projects.find(projectId)
      if (record === null || expiresAt === null) return null
      const from = invitedBy === null ? null : await db.read.users.find(invitedBy)
      const project = { id: projectId, name: record.project.name }
      return { project, role, email, from: from?.email ?? null, expiresAt }
    },

    /**
     * Joins the project with the account of the caller's session. The list of members then shows its address.
     *
     * @throws {ServiceError} `not_found` when the link does not work any more; `conflict` when the caller works on the
     *   project already.
     */
    async accept(caller: Caller, token: string): Promise<ProjectId> {
      assertSession(caller)
      return db.write(async (repositories) => {
        const { member, isMailed } = await open(repositories, token)
        const user = await repositories.users.find(caller.userId)
        if (user === null) throw notOpen()
        // A mailbox proves only its own address.
        if (isMailed && addressKey(user.email) === member.email)
          await repositories.users.verify(user.id, now())
        await joinProject(repositories, ports, { member, user, actor: caller })
        return member.projectId
      })
    },

    /** @throws {ServiceError} `not_found` when the link does not work any more. */
    async decline(caller: Caller, token: string): Promise<void> {
      assertSession(caller)
      await db.write(async (repositories) => {
        const { member } = await open(repositories, token)
        await declineInvitation(repositories, ports, { member, actor: caller })
      })
    },

    /**
     * Joins the project with a new account of the invited address, and signs its person in. The address is verified if
     * the link was mailed to it.
     *
     * @throws {ServiceError} `not_found` when the link does not work any more; `conflict` when an account has the
     *   address: its person signs in; `validation_error` for `password`; `service_unavailable` when too many users sign
     *   in at once.
     */
    async join(
      token: string,
      password: string,
      client: Client,
    ): Promise<SessionWithToken & { readonly projectId: ProjectId }> {
      const invited = await open(db.read, token)
      const invalid = passwordError(password, 'password', invited.member.email)
      if (invalid !== null) throw fieldFailure('validation_error', [invalid])
      const passwordHash = await passwords.hash(password)
      return db.write(async (repositories) => {
        const { users } = repositories
        const { member, isMailed } = await open(repositories, token)
        if ((await users.findByAddress(member.email)) !== null) throw hasAccount()
        const createdAt = now()
        const user = await users.insert({
          ...{ id: newId<'usr'>(), email: member.email, canCreateProjects: false, createdAt },
          verifiedAt: isMailed ? createdAt : null,
        })
        await users.setPasswordHash(user.id, passwordHash)
        const actor = { ...SERVICE, userId: user.id, clientAddress: client.address }
        for (const act of ['user.create', 'user.set_password'] as const)
          await recordAct(repositories, ports, actor, { act, of: { userId: user.id }, target: user.id })
        await joinProject(repositories, ports, { member, user, actor })
        const started = await startSession(repositories, ports, { id: newId<'ses'>(), user, client })
        return { ...started, projectId: member.projectId }
      })
    },
  }

  async function linked({ members }: Repositories, token: string): Promise<LinkedMember | null> {
    const found = isBearerTokenForm(token) ? await members.findByLink(hashBearerToken(token)) : null
    return found !== null && isOpenAt(found.member, now()) ? found : null
  }

  /** @throws {ServiceError} `not_found`. */
  async function open(repositories: Repositories, token: string): Promise<LinkedMember> {
    const found = await linked(repositories, token)
    if (found === null) throw notOpen()
    return found
  }
}

function assertSession(caller: Caller): void {
  ownSession(caller)
  accessOwn(caller, ['manage'])
}

function hasAccount(): ServiceError {
  return new ServiceError(
    'conflict',
    'An account has this address already. Sign in to it, then open the link again.',
  )
}

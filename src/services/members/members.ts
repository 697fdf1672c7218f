import type { Repositories } from '../../db/repositories.ts'
import type { Act } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { MemberId, ProjectId } from '../../domain/ids.ts'
import { laterOf } from '../../domain/later-of.ts'
import { MAX_MEMBERS, type Member } from '../../domain/member.ts'
import type { Project } from '../../domain/project.ts'
import type { Role } from '../../domain/roles.ts'
import { accessMember, accessProject, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import type { MailOutbox } from '../mail/mail-outbox.ts'

export interface Invitation {
  /** As `addressKey` has it. */
  readonly email: string
  readonly role: Role
}

/** Ids as the client sent them. */
export interface MemberRef {
  readonly project: string
  readonly ref: string
}

export type MemberService = ReturnType<typeof createMemberService>

/**
 * The members of projects. A person whose address has a user is a member at once; any other address waits, and the user
 * that is created with it becomes a member then. What an owner sees is the same in both cases, so that an invitation is
 * no way to ask who has an account here: neither a state nor the user is shown, and nothing changes when they come.
 */
export function createMemberService(
  context: Pick<ServiceContext, 'db' | 'accountLimits' | 'newId' | 'now'> & {
    /** Null where no mail is sent. */
    readonly outbox: MailOutbox | null
  },
) {
  const { db, accountLimits, newId, now, outbox } = context

  return {
    /** The owner of the account first, then the others, oldest first. */
    async list(caller: Caller, project: string): Promise<readonly Member[]> {
      const home = await accessProject(db.read, caller, project, ['read'])
      return db.read.members.list(home.project.id)
    },

    async get(caller: Caller, { project, ref }: MemberRef): Promise<Member> {
      return (await accessMember(db.read, caller, { project, ref }, ['read'])).member
    },

    /**
     * Makes a person a member, and sends them a mail where mail is configured.
     *
     * @param readInvitation reads the body; called once the project is known to be the caller's.
     * @param language of the mail.
     * @throws {ServiceError} `conflict` when the address is a member, or the project has too many; `forbidden` when the
     *   account has.
     */
    async invite(
      caller: Caller,
      project: string,
      readInvitation: () => Invitation,
      language = 'en',
    ): Promise<Member> {
      const member = await db.write(async (repositories) => {
        const home = await accessProject(repositories, caller, project, ['members'])
        assertWritable(home.project)
        const id = await withIdempotency(repositories, caller, now(), async () => {
          const member = await newMember(repositories, home.project.id, readInvitation())
          await repositories.members.insert(member)
          await accountLimits.assertWithin(repositories, { projectId: member.projectId }, ['members'])
          await record(repositories, caller, 'member.invite', { before: null, after: member })
          await outbox?.put(repositories, {
            recipient: member.email,
            language,
            content: { kind: 'invitation', projectId: member.projectId, memberId: member.id },
            from: { userId: caller.userId },
          })
          return member.id
        })
        return (await accessMember(repositories, caller, { project, ref: id }, ['members'])).member
      })
      outbox?.wake()
      return member
    },

    /**
     * @param readRole reads the body, knowing the member.
     * @throws {ServiceError} `conflict` for the owner of the account.
     */
    async changeRole(
      caller: Caller,
      { project, ref }: MemberRef,
      readRole: (member: Member) => Role | undefined,
    ): Promise<Member> {
      return db.write(async (repositories) => {
        const { member, home } = await accessMember(repositories, caller, { project, ref }, ['members'])
        assertWritable(home.project)
        const role = readRole(member) ?? member.role
        if (role === member.role) return member
        assertNotPaying(member, home.project)
        const updatedAt = laterOf(now(), member.updatedAt)
        const changed = { ...member, role, updatedAt, version: member.version + 1 }
        await repositories.members.update(changed)
        await record(repositories, caller, 'member.update', { before: member, after: changed })
        return changed
      })
    },

    /**
     * Ends a membership: what it allowed is refused from here on, to every key and session, and links to previews end.
     * Members may remove themselves. Not refused for a project that takes no changes.
     *
     * @param check validates the rest of the request, inside the transaction of the change.
     * @throws {ServiceError} `conflict` for the owner of the account.
     */
    async remove(
      caller: Caller,
      { project, ref }: MemberRef,
      check: (member: Member) => void,
    ): Promise<MemberId> {
      return db.write(async (repositories) => {
        const { member, home } = await accessMember(repositories, caller, { project, ref }, ['members'], true)
        check(member)
        assertNotPaying(member, home.project)
        await repositories.members.delete(member.id)
        // The address that the person has by now may have been invited as well.
        const user = member.userId === null ? null : await repositories.users.find(member.userId)
        if (user !== null) await repositories.members.acceptInvitations(user.id, user.email)
        await record(repositories, caller, 'member.remove', { before: member, after: null })
        return member.id
      })
    },
  }

  function record(
    repositories: Repositories,
    caller: Caller,
    act: Act,
    { before, after }: { readonly before: Member | null; readonly after: Member | null },
  ): Promise<void> {
    const { id, projectId } = after ?? before ?? unchanged()
    return recordAct(repositories, context, caller, {
      act,
      of: { projectId },
      target: id,
      before: before && { version: before.version },
      after: after && { version: after.version },
      fields: before !== null && after !== null ? ['role'] : [],
    })
  }

  async function newMember(
    { members, users }: Repositories,
    projectId: ProjectId,
    { email, role }: Invitation,
  ): Promise<Member> {
    const user = await users.findByAddress(email)
    const known = await members.list(projectId)
    if (known.some((member) => member.email === email))
      throw fieldFailure('conflict', [{ path: 'email', message: 'is a member already.', code: 'taken' }])
    if (known.length > MAX_MEMBERS)
      throw new ServiceError(
        'conflict',
        `A project has at most ${MAX_MEMBERS} members next to its owner. Remove one first.`,
      )
    const moment = now()
    return {
      id: newId<'mem'>(),
      projectId,
      email,
      // A person is a member once. That both addresses are theirs is not answered.
      userId: known.some(({ userId }) => userId === user?.id) ? null : (user?.id ?? null),
      role,
      createdAt: moment,
      updatedAt: moment,
      version: 1,
    }
  }
}

function unchanged(): never {
  throw new RangeError('A change of a member has a member before or after it.')
}

/** @throws {ServiceError} `conflict` for the owner of the account, which the project belongs to. */
function assertNotPaying({ userId }: Member, project: Project): void {
  if (userId === project.userId)
    throw new ServiceError(
      'conflict',
      'The project belongs to the account of this member, who always stays its owner.',
    )
}

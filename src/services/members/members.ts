import type { Repositories } from '../../db/repositories.ts'
import type { Act } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { MemberId, ProjectId } from '../../domain/ids.ts'
import { laterOf } from '../../domain/later-of.ts'
import {
  INVITATION_MS,
  type InvitationMail,
  isOpenAt,
  MAX_MEMBERS,
  type Member,
  memberAt,
  NO_MAIL,
} from '../../domain/member.ts'
import type { Project } from '../../domain/project.ts'
import type { Role } from '../../domain/roles.ts'
import { hashBearerToken, newBearerToken } from '../../secrets/bearer-token.ts'
import { accessMember, accessProject, assertWritable } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { withIdempotency } from '../idempotency.ts'
import type { MailOutbox } from '../mail/mail-outbox.ts'
import { invitationPath } from './invitation-path.ts'

export interface Invitation {
  /** The address in the form of `addressKey`. */
  readonly email: string
  readonly role: Role
}

/** Ids as the client sent them. */
export interface MemberRef {
  readonly project: string
  readonly ref: string
}

export type MemberService = ReturnType<typeof createMemberService>

/** An invitation, with the link to it, which is shown once. */
export interface InvitedMember {
  readonly member: Member
  /** The link; null when a repeated request finds the invitation answered. */
  readonly url: string | null
  /** True when the address had no invitation before. */
  readonly isNew: boolean
}

/**
 * The members of projects. Every invitation is accepted by its person, also by one who has an account: in the list of
 * offers, where it waits for the verified address, or by a link. So an invitation is no way to ask who has an account
 * here, and none puts a person into a project.
 */
export function createMemberService(
  context: Pick<ServiceContext, 'db' | 'accountLimits' | 'newId' | 'now'> & {
    /** The outbox; null where no mail is sent. */
    readonly outbox: MailOutbox | null
    /** Base URL of links, without a trailing slash. */
    readonly baseUrl: string
  },
) {
  const { db, accountLimits, newId, now, outbox, baseUrl } = context

  return {
    /** The owner of the account first, then the others, oldest first. */
    async list(caller: Caller, project: string): Promise<readonly Member[]> {
      const home = await accessProject(db.read, caller, project, ['read'])
      const members = await db.read.members.list(home.project.id)
      return members.map((member) => memberAt(member, now()))
    },

    async get(caller: Caller, { project, ref }: MemberRef): Promise<Member> {
      const { member } = await accessMember(db.read, caller, { project, ref }, ['read'])
      return memberAt(member, now())
    },

    /**
     * Invites a person, and sends them a mail where mail is configured. An invitation that was declined, has expired or
     * still waits is renewed: it has the role of this one, and its former links end.
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
    ): Promise<InvitedMember> {
      const invited = await db.write(async (repositories) => {
        const { project: home } = await accessProject(repositories, caller, project, ['members'])
        assertWritable(home)
        let issued: InvitedMember | null = null
        const id = await withIdempotency(repositories, caller, now(), async () => {
          const { email, role } = readInvitation()
          const members = await repositories.members.list(home.id)
          const known = members.find((member) => member.email === email)
          if (known === undefined && members.length > MAX_MEMBERS) throw tooMany()
          issued =
            known === undefined
              ? await add(repositories, caller, { projectId: home.id, email, role }, language)
              : await renew(repositories, caller, known, role, language)
          return issued.member.id
        })
        return issued ?? reissue(repositories, caller, { project, ref: id })
      })
      outbox?.wake()
      return invited
    },

    /**
     * Gives an invitation a new link, and sends it by mail where mail is configured. The former links end. Beyond three
     * mails an hour to one address none is sent.
     *
     * @param check validates the rest of the request.
     * @param language of the mail.
     * @throws {ServiceError} `conflict` when the person is a member.
     */
    async resend(
      caller: Caller,
      { project, ref }: MemberRef,
      check: () => void,
      language = 'en',
    ): Promise<InvitedMember> {
      const invited = await db.write(async (repositories) => {
        const { member, home } = await accessMember(repositories, caller, { project, ref }, ['members'])
        assertWritable(home.project)
        check()
        let issued: InvitedMember | null = null
        const id = await withIdempotency(repositories, caller, now(), async () => {
          issued = await renew(repositories, caller, member, member.role, language)
          return member.id
        })
        return issued ?? reissue(repositories, caller, { project, ref: id })
      })
      outbox?.wake()
      return invited
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
        if (role === member.role) return memberAt(member, now())
        assertNotPaying(member, home.project)
        const updatedAt = laterOf(now(), member.updatedAt)
        const changed = { ...member, role, updatedAt, version: member.version + 1 }
        await repositories.members.update(changed)
        await record(repositories, caller, 'member.update', { before: member, after: changed })
        return memberAt(changed, now())
      })
    },

    /**
     * Ends a membership, or takes an invitation back. What it allowed is refused from here on, to every key and
     * session, and links to previews end. Members may remove themselves. Not refused for a project that takes no
     * changes.
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

  function newMember(
    caller: Caller,
    { id, projectId, email, role, mail }: Invitation & Pick<Member, 'id' | 'projectId' | 'mail'>,
  ): Member {
    const moment = now()
    return {
      ...{ id, projectId, email, role, mail, userId: null, version: 1 },
      ...invitedBy(caller, moment),
      createdAt: moment,
      updatedAt: moment,
    }
  }

  function invitedBy({ userId }: Caller, invitedAt: string) {
    const expiresAt = new Date(Date.parse(invitedAt) + INVITATION_MS).toISOString()
    return { state: 'invited', source: 'hand', invitedAt, invitedBy: userId, expiresAt } as const
  }

  /** @throws {ServiceError} `forbidden` when the account has too many members. */
  async function add(
    repositories: Repositories,
    caller: Caller,
    wanted: Invitation & { readonly projectId: ProjectId },
    language: string,
  ): Promise<InvitedMember> {
    const id = newId<'mem'>()
    const mail = await sendMail(repositories, caller, { ...wanted, id }, language)
    const member = newMember(caller, { ...wanted, id, mail })
    await repositories.members.insert(member)
    await accountLimits.assertWithin(repositories, wanted, ['members'])
    await record(repositories, caller, 'member.invite', { before: null, after: member })
    return { member, url: await newLink(repositories, member), isNew: true }
  }

  /** @throws {ServiceError} `conflict` when the person is a member. */
  async function renew(
    repositories: Repositories,
    caller: Caller,
    member: Member,
    role: Role,
    language: string,
  ): Promise<InvitedMember> {
    if (member.state === 'active')
      throw fieldFailure('conflict', [{ path: 'email', message: 'is a member already.', code: 'taken' }])
    const mail = await sendMail(repositories, caller, member, language)
    const moment = now()
    const updatedAt = laterOf(moment, member.updatedAt)
    const invitation = invitedBy(caller, moment)
    const renewed = { ...member, ...invitation, role, mail, updatedAt, version: member.version + 1 }
    await repositories.members.update(renewed)
    await record(repositories, caller, 'member.resend', { before: member, after: renewed })
    return { member: renewed, url: await newLink(repositories, renewed), isNew: false }
  }

  /** Answers a repeated request with another link, since the first one was not received. No mail is sent. */
  async function reissue(repositories: Repositories, caller: Caller, ref: MemberRef): Promise<InvitedMember> {
    const { member } = await accessMember(repositories, caller, ref, ['members'])
    const isNew = member.version === 1
    const url = isOpenAt(member, now()) ? await newLink(repositories, member, true) : null
    return { member: memberAt(member, now()), url, isNew }
  }

  /** @param staysMailed whether the link of a mail that was sent still works. */
  async function newLink({ members }: Repositories, { id }: Member, staysMailed = false): Promise<string> {
    const token = newBearerToken()
    await members.setShownLink(id, hashBearerToken(token), staysMailed)
    return baseUrl + invitationPath(token)
  }

  async function sendMail(
    repositories: Repositories,
    { userId }: Caller,
    { id: memberId, projectId, email }: Pick<Member, 'id' | 'projectId' | 'email'>,
    language: string,
  ): Promise<InvitationMail> {
    const content = { kind: 'invitation', projectId, memberId } as const
    const id = await outbox?.put(repositories, { recipient: email, language, content, from: { userId } })
    return id ? { id, status: 'queued', at: now(), problem: null } : NO_MAIL
  }
}

function tooMany(): ServiceError {
  return new ServiceError(
    'conflict',
    `A project has at most ${MAX_MEMBERS} members next to its owner. Remove one first.`,
  )
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

import type { User } from '../../db/repositories/accounts.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Act, Actor } from '../../domain/audit.ts'
import { addressKey } from '../../domain/email-address.ts'
import { ServiceError } from '../../domain/errors.ts'
import { laterOf } from '../../domain/later-of.ts'
import { isOpenAt, type Member } from '../../domain/member.ts'
import { roleIn } from '../access.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'

type Ports = Pick<ServiceContext, 'newId' | 'now'>

/** An invitation, and the person who answers it. */
export interface Answer {
  readonly member: Member
  readonly user: Pick<User, 'id' | 'email'>
  readonly actor: Actor
}

/**
 * Makes a person a member by an invitation. The caller has found out that the invitation is theirs: by the mailbox, or
 * by the link. Call it inside the transaction that read the invitation.
 *
 * @throws {ServiceError} `not_found` when the invitation is not open any more; `conflict` when the person has a role in
 *   the project already.
 */
export async function joinProject(
  repositories: Repositories,
  ports: Ports,
  { member, user, actor }: Answer,
): Promise<Member> {
  const { members, projects } = repositories
  const found = await projects.find(member.projectId)
  if (found === null || !isOpenAt(member, ports.now())) throw notOpen()
  const role = await roleIn(repositories, { userId: user.id }, found.project)
  if (role !== null)
    throw new ServiceError('conflict', `You work on this project already, with the role ${role}.`)
  const email = addressKey(user.email)
  const others = (await members.list(member.projectId)).filter((other) => other.id !== member.id)
  const same = others.find((other) => other.email === email)
  // Another invitation of the same person has no use any more.
  if (same !== undefined && same.userId === null) await members.delete(same.id)
  const joined = answered(member, ports, {
    state: 'active',
    email: same === undefined || same.userId === null ? email : member.email,
    userId: user.id,
    expiresAt: null,
  })
  await store(repositories, ports, { act: 'member.accept', actor, member: joined })
  return joined
}

/** @throws {ServiceError} `not_found` when the invitation is not open any more. */
export async function declineInvitation(
  repositories: Repositories,
  ports: Ports,
  { member, actor }: Omit<Answer, 'user'>,
): Promise<void> {
  if (!isOpenAt(member, ports.now())) throw notOpen()
  const declined = answered(member, ports, { state: 'declined' })
  await store(repositories, ports, { act: 'member.decline', actor, member: declined })
}

function answered(member: Member, { now }: Ports, change: Partial<Member>): Member {
  return { ...member, ...change, updatedAt: laterOf(now(), member.updatedAt), version: member.version + 1 }
}

/** Stores an answered invitation, and ends its links. */
async function store(
  repositories: Repositories,
  ports: Ports,
  { act, actor, member }: { readonly act: Act; readonly actor: Actor; readonly member: Member },
): Promise<void> {
  await repositories.members.update(member)
  await repositories.members.setShownLink(member.id, null, false)
  await recordAct(repositories, ports, actor, {
    act,
    of: { projectId: member.projectId },
    target: member.id,
    before: { version: member.version - 1 },
    after: { version: member.version },
    fields: ['state'],
  })
}

export function notOpen(): ServiceError {
  return new ServiceError(
    'not_found',
    'This invitation was answered, taken back or replaced, or has expired.',
  )
}

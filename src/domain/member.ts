import type { MailId, MemberId, ProjectId, UserId } from './ids.ts'
import type { MailProblem } from './mail-problem.ts'
import type { Role } from './roles.ts'

/** Members of a project at most, next to its owner: a team, and a list that is answered whole. */
export const MAX_MEMBERS = 100

const DAY_MS = 24 * 60 * 60 * 1000
/** An invitation that no one accepts ends after this time. */
export const INVITATION_MS = 14 * DAY_MS

export const MEMBER_STATES = ['invited', 'active', 'declined', 'expired'] as const
export type MemberState = (typeof MEMBER_STATES)[number]

/** Who made a person a member: an owner, or a sign-in provider by its groups. */
export const MEMBER_SOURCES = ['hand', 'provider'] as const
export type MemberSource = (typeof MEMBER_SOURCES)[number]

export const MAIL_STATUSES = ['none', 'queued', 'sent', 'failed'] as const
/** Status of the last mail of an invitation. */
export interface InvitationMail {
  /** Id of the mail; null for none. */
  readonly id: MailId | null
  readonly status: (typeof MAIL_STATUSES)[number]
  /** When it got this status; null for none. */
  readonly at: string | null
  /** Reason of a failure; null unless it failed. */
  readonly problem: MailProblem | null
}

export const NO_MAIL: InvitationMail = { id: null, status: 'none', at: null, problem: null }

/** A person's role in a project, or an invitation to it. */
export interface Member {
  readonly id: MemberId
  readonly projectId: ProjectId
  /** Result of `addressKey` for the invited address, or for that of the person who accepted. */
  readonly email: string
  /** The user who accepted the invitation; null until then. */
  readonly userId: UserId | null
  readonly role: Role
  /** State as of `memberAt`, `expired` included. */
  readonly state: MemberState
  /** Time of the invitation; null for a person who was never invited, such as the owner. */
  readonly invitedAt: string | null
  readonly invitedBy: UserId | null
  /** When the invitation ends; null once it was accepted. */
  readonly expiresAt: string | null
  readonly source: MemberSource
  readonly mail: InvitationMail
  readonly createdAt: string
  readonly updatedAt: string
  readonly version: number
}

/** The fields of a member who never was invited. */
export const NEVER_INVITED = {
  ...{ state: 'active', invitedAt: null, invitedBy: null, expiresAt: null, source: 'hand', mail: NO_MAIL },
} as const satisfies Partial<Member>

/** A member as of a time, by which the invitation may have expired. */
export function memberAt(member: Member, now: string): Member {
  return isOpen(member) && !isOpenAt(member, now) ? { ...member, state: 'expired' } : member
}

/** Reports whether an invitation can be accepted. */
export function isOpenAt(member: Member, now: string): boolean {
  return isOpen(member) && member.expiresAt !== null && now < member.expiresAt
}

function isOpen({ state }: Member): boolean {
  return state === 'invited'
}

import { prefixed } from '../../domain/ids.ts'
import type { InvitationMail, Member } from '../../domain/member.ts'
import type { InvitedMember } from '../../services/members/members.ts'

/** Without its user: whether an invited address has one is not for owners to know. */
export function presentMember(member: Member) {
  const { id, email, role, state, invitedAt, expiresAt, source, mail, createdAt, updatedAt } = member
  return {
    id: prefixed('mem', id),
    email,
    role,
    state,
    invited_at: invitedAt,
    expires_at: expiresAt,
    source,
    mail: presentMail(mail),
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

/** With the link, unless the invitation was answered before the request was repeated. */
export function presentInvited({ member, url }: InvitedMember) {
  return { ...presentMember(member), ...(url !== null && { invitation_url: url }) }
}

export function presentRenewed({ member: { expiresAt, mail }, url }: InvitedMember) {
  return { invitation_url: url, expires_at: expiresAt, mail: presentMail(mail) }
}

function presentMail({ status, at, problem }: InvitationMail) {
  return { status, at, problem }
}

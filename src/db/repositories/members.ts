import type { MailId, MemberId, ProjectId, UserId } from '../../domain/ids.ts'
import type { InvitationMail, Member } from '../../domain/member.ts'
import type { Role } from '../../domain/roles.ts'

/**
 * People with a role in a project, next to the owner of its account. The owner is listed and found as a member too, with
 * the id of the project, but has no row: `projects.user_id` alone says who it is.
 */
export interface MemberRepository {
  /** Returns the role of a user; null for one who is no member. */
  roleOf(projectId: ProjectId, userId: UserId): Promise<Role | null>
  /** The owner of the account first, then the others, oldest first. */
  list(projectId: ProjectId): Promise<readonly Member[]>
  find(projectId: ProjectId, id: MemberId): Promise<Member | null>
  /** @throws {ServiceError} `conflict` when the address is a member already. */
  insert(member: Member): Promise<void>
  /** Stores everything of a member but its links. */
  update(member: Member): Promise<void>
  delete(id: MemberId): Promise<void>
  /** Open invitations to an address that have not expired, oldest first, of at most `limit` projects. */
  invitationsTo(email: string, now: string, limit: number): Promise<readonly Member[]>
  /** An invitation by its id. Null also for one of a project that is deleted. */
  findById(id: MemberId): Promise<Member | null>
  /** The invitation whose link has a token with this hash. */
  findByLink(tokenHash: string): Promise<LinkedMember | null>
  /**
   * Gives an invitation the link that is shown, in place of the former one. Null: it has none any more.
   *
   * @param staysMailed whether the link of its mail still works.
   */
  setShownLink(id: MemberId, tokenHash: string | null, staysMailed: boolean): Promise<void>
  /**
   * Gives an invitation the link of its mail.
   *
   * @returns false when it was answered, or another mail is its last one.
   */
  setMailedLink(id: MemberId, mailId: MailId, tokenHash: string): Promise<boolean>
  /** Records what became of the last mail of an invitation. Nothing for another mail. */
  recordMail(id: MemberId, mail: InvitationMail): Promise<void>
}

export interface LinkedMember {
  readonly member: Member
  /** True if the link was mailed to the address, which it proves. */
  readonly isMailed: boolean
}

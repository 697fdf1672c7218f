import type { MemberId, ProjectId, UserId } from '../../domain/ids.ts'
import type { Member } from '../../domain/member.ts'
import type { Role } from '../../domain/roles.ts'

/**
 * People with a role in a project, next to the owner of its account. The owner is listed and found as a member too, with
 * the id of the project, but has no row: `projects.user_id` alone says who it is.
 */
export interface MemberRepository {
  /** Null for a user who is no member. */
  roleOf(projectId: ProjectId, userId: UserId): Promise<Role | null>
  /** The owner of the account first, then the others, oldest first. */
  list(projectId: ProjectId): Promise<readonly Member[]>
  find(projectId: ProjectId, id: MemberId): Promise<Member | null>
  /** @throws {ServiceError} `conflict` when the address is a member already. */
  insert(member: Member): Promise<void>
  /** Changes role, time and version. */
  update(member: Member): Promise<void>
  delete(id: MemberId): Promise<void>
  /**
   * Makes a user a member where the address was invited, but not where the user is one already, or the owner. Nothing that
   * owners see of the invitation changes.
   */
  acceptInvitations(userId: UserId, email: string): Promise<void>
}

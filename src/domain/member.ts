import type { MemberId, ProjectId, UserId } from './ids.ts'
import type { Role } from './roles.ts'

/** Members of a project at most, next to its owner: a team, and a list that is answered whole. */
export const MAX_MEMBERS = 100

/** A person's role in a project. */
export interface Member {
  readonly id: MemberId
  readonly projectId: ProjectId
  /** As `addressKey` has it. */
  readonly email: string
  /** Null while no user has this address. */
  readonly userId: UserId | null
  readonly role: Role
  readonly createdAt: string
  readonly updatedAt: string
  readonly version: number
}

/**
 * What spellings of one e-mail address have in common. Mail servers may tell capitals apart, but none that people use
 * does.
 */
export function addressKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

import type { UserId } from '../domain/ids.ts'
import type { User } from './repositories/accounts.ts'

export interface UserRow {
  readonly id: UserId
  readonly email: string
  readonly can_create_projects: number | boolean
  readonly created_at: string
  readonly password_hash: string | null
  /** Key of the address, by `addressKey`. */
  readonly email_key: string
  /** False while another user has the address in another spelling. */
  readonly owns_address: number | boolean
  readonly verified_at: string | null
  readonly locked_at: string | null
  readonly deleted_at: string | null
  readonly browsers_known_after: string | null
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    canCreateProjects: Boolean(row.can_create_projects),
    createdAt: row.created_at,
    verifiedAt: row.verified_at,
    lockedAt: row.locked_at,
    browsersKnownAfter: row.browsers_known_after,
  }
}

import { prefixed } from '../../domain/ids.ts'
import type { Member } from '../../domain/member.ts'

/** Without its user: whether there is one is not for owners to know. */
export function presentMember({ id, email, role, createdAt, updatedAt }: Member) {
  return { id: prefixed('mem', id), email, role, created_at: createdAt, updated_at: updatedAt }
}

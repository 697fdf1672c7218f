import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import { addressKey } from '../../domain/member.ts'
import { ROLES, type Role } from '../../domain/roles.ts'
import type { Invitation } from '../../services/members/members.ts'
import { parseBody } from '../parse.ts'

/** Longest address of RFC 5321. */
const MAX_ADDRESS = 254
const INVALID_ADDRESS = `must be an e-mail address of at most ${MAX_ADDRESS} characters.`

const email = z
  .string()
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, INVALID_ADDRESS)
  .max(MAX_ADDRESS, INVALID_ADDRESS)
  .meta({
    description:
      'Whose it is becomes a member: at once with an account here, else when one is created. Capitals do not matter.',
    examples: ['ada@example.com'],
  })

const role = z.enum(ROLES, `must be one of ${ROLES.join(', ')}.`).meta({
  description:
    '`owner`: everything; `editor`: pages, media, publishing and settings; `author`: pages and media; `viewer`: reading.',
  examples: ['editor'],
})

export const InviteMember = z.strictObject({ email, role })

const SetEmail = z.strictObject({ email })

export const UpdateMember = z.strictObject({ role: role.optional() })

/** Read-only fields, which a body may contain without an effect. */
export const INVITE_READ_ONLY = ['id', 'created_at', 'updated_at']
/** Of a member also the address, which never changes. */
export const MEMBER_FIXED = [...INVITE_READ_ONLY, 'email']

/** @throws {ServiceError} that names every invalid field. */
export function readInvitation(body: JsonObject): Invitation {
  const read = parseBody(InviteMember, body, { readOnly: INVITE_READ_ONLY })
  return { email: addressKey(read.email), role: read.role }
}

/** @throws {ServiceError} that names the invalid field. */
export function readEmail(body: JsonObject): string {
  return parseBody(SetEmail, body).email
}

/** @throws {ServiceError} that names every invalid field. */
export function readRole(body: JsonObject): Role | undefined {
  return parseBody(UpdateMember, body, { readOnly: MEMBER_FIXED }).role
}

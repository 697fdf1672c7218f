import { z } from 'zod'
import { addressKey, INVALID_ADDRESS, MAX_ADDRESS, parseAddress } from '../../domain/email-address.ts'
import { ruleOf } from '../../domain/invalid-field.ts'
import type { JsonObject } from '../../domain/json.ts'
import { ROLES, type Role } from '../../domain/roles.ts'
import type { Invitation } from '../../services/members/members.ts'
import { parseBody } from '../parse.ts'

const email = z
  .string()
  .refine((text) => parseAddress(text) !== null, { error: INVALID_ADDRESS, ...ruleOf('wrong_format') })
  .meta({
    maxLength: MAX_ADDRESS,
    description: 'The address to invite. Case is ignored.',
    examples: ['ada@example.com'],
  })

const role = z.enum(ROLES, `must be one of ${ROLES.join(', ')}.`).meta({
  description:
    '`owner`: everything; `editor`: pages, media, publishing and settings; `author`: pages and media; `viewer`: reading.',
  examples: ['editor'],
})

export const InviteMember = z.strictObject({ email, role })

const SetEmail = z.strictObject({ email })

export const OfferProject = z.strictObject({
  email: email.meta({ description: 'The address to offer the project to. Case is ignored.' }),
})

export const UpdateMember = z.strictObject({ role: role.optional() })

/** Read-only fields, which a body may contain without an effect. */
export const INVITE_READ_ONLY = [
  ...['id', 'state', 'invited_at', 'expires_at', 'source', 'mail', 'invitation_url'],
  ...['created_at', 'updated_at'],
]
/** Read-only fields of a member: also the address, which never changes. */
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

/** The address to which a project is offered. @throws {ServiceError} that names the invalid field. */
export function readOffer(body: JsonObject): string {
  return parseBody(OfferProject, body).email
}

/** @throws {ServiceError} that names every invalid field. */
export function readRole(body: JsonObject): Role | undefined {
  return parseBody(UpdateMember, body, { readOnly: MEMBER_FIXED }).role
}

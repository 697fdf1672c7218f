import { z } from 'zod'
import { PERMISSIONS } from '../../domain/caller.ts'
import { ruleOf } from '../../domain/invalid-field.ts'
import type { JsonObject } from '../../domain/json.ts'
import { name, zonedTimestamp } from '../../fields/values.ts'
import type { KeyDraft, KeyEdit } from '../../services/accounts/keys.ts'
import { parseBody } from '../parse.ts'
import { walkedSlice } from '../query-fields.ts'

/** A week. */
const MAX_OVERLAP_HOURS = 168
const OVERLAP_HOURS = 24

const keyName = name(255).meta({ description: 'What the key is for.', examples: ['CI'] })

const permissions = z
  .array(z.enum(PERMISSIONS, `must be one of ${PERMISSIONS.join(', ')}.`))
  .min(1, 'must name at least one permission.')
  .max(PERMISSIONS.length, 'must name each permission once.')
  .refine((names) => new Set(names).size === names.length, {
    error: 'must name each permission once.',
    ...ruleOf('given_twice'),
  })
  .meta({
    description: 'What the key may do, at most what the key of the request may do.',
    uniqueItems: true,
    examples: [['read', 'write']],
  })

const expiresAt = zonedTimestamp.nullable().meta({
  description:
    'When the key ends; null for never. Not later than the end of the key of the request, which is the default.',
})

export const CreateKey = z.strictObject({
  name: keyName,
  project_scope: z
    .string()
    .nullable()
    .optional()
    .meta({
      description:
        'The only project that the key may be used for; null for all projects. By default that of the key of the request.',
      examples: [null],
    }),
  permissions: permissions.optional().meta({
    description: 'By default `read`, `write` and `publish`, as far as the key of the request has them.',
  }),
  expires_at: expiresAt.optional(),
})

export const UpdateKey = z.strictObject({
  name: keyName.optional(),
  permissions: permissions.optional(),
  expires_at: expiresAt.optional(),
})

export const RotateKey = z.strictObject({
  hours: z
    .int(`must be a whole number from 0 to ${MAX_OVERLAP_HOURS}.`)
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(OVERLAP_HOURS)
    .meta({
      description:
        'How many hours the secret before is accepted too. Secrets of earlier rotations are accepted as long as was said then; `0` ends all of them at once.',
      examples: [24],
    }),
})

/** Read-only fields, which a body may contain without an effect. */
export const KEY_READ_ONLY = ['id', 'plan', 'revoked_at', 'former_until', 'created_at']
/** Read-only fields of a changed key: also its scope, which never changes. */
export const KEY_FIXED = [...KEY_READ_ONLY, 'project_scope']

export const ListKeys = z.object(walkedSlice(25))

/** @throws {ServiceError} that names every invalid field. */
export function readCreateKey(body: JsonObject): KeyDraft {
  const read = parseBody(CreateKey, body, { readOnly: KEY_READ_ONLY })
  return {
    name: read.name,
    projectScope: read.project_scope,
    permissions: read.permissions,
    expiresAt: read.expires_at,
  }
}

/** @throws {ServiceError} that names every invalid field. */
export function readUpdateKey(body: JsonObject): KeyEdit {
  const { expires_at, name, permissions } = parseBody(UpdateKey, body, { readOnly: KEY_FIXED })
  return { ...(name !== undefined && { name }), permissions, expiresAt: expires_at }
}

/** @throws {ServiceError} that names every invalid field. */
export function readRotateKey(body: JsonObject): { readonly hours: number } {
  return parseBody(RotateKey, body)
}

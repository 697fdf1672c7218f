import type { ApiKey } from '../../db/repositories/keys.ts'
import { prefixed } from '../../domain/ids.ts'
import type { KeyWithSecret } from '../../services/accounts/keys.ts'

export function presentKey(key: ApiKey) {
  return {
    id: prefixed('key', key.id),
    name: key.name,
    project_scope: key.projectScope === null ? null : prefixed('proj', key.projectScope),
    permissions: key.permissions,
    plan: key.plan,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    former_until: key.formerUntil,
    created_at: key.createdAt,
  }
}

export function presentKeyWithSecret({ record, key }: KeyWithSecret) {
  return { ...presentKey(record), key }
}

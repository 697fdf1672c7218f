import type { Caller, Permission, Plan } from '../../domain/caller.ts'
import type { KeyId, ProjectId, UserId } from '../../domain/ids.ts'
import type { Allowance } from '../../domain/rate-limit.ts'
import type { Listed } from './paging.ts'

/** An API key without the key. */
export interface ApiKey {
  readonly id: KeyId
  readonly userId: UserId
  readonly projectScope: ProjectId | null
  readonly name: string
  readonly plan: Plan
  /** Limits of an enterprise key; those left out are unlimited. Null for other plans. */
  readonly limits: Partial<Allowance> | null
  readonly permissions: readonly Permission[]
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** Until when the secret before the last rotation is accepted too; null when no other one is. */
  readonly formerUntil: string | null
  readonly createdAt: string
  readonly version: number
}

/** Which keys of an account to list, newest first. */
export interface KeyFilter {
  readonly userId: UserId
  /** Keys that are restricted to this project; null for all. */
  readonly projectScope: ProjectId | null
  /** Keys that are neither revoked nor expired at this time. */
  readonly liveAt: string
}

/** A key, and the caller behind its requests. */
export interface FoundKey {
  /** Found by the secret before its last rotation, it expires with that. */
  readonly key: ApiKey
  readonly caller: Caller
}

export interface KeyRepository {
  insert(key: ApiKey, hash: string): Promise<void>
  /** The key with its user, also when it is expired or revoked; null when no key has this hash. */
  findByHash(hash: string): Promise<FoundKey | null>
  /** As `findByHash`, by the key's id. */
  find(id: KeyId): Promise<FoundKey | null>
  list(): Promise<readonly ApiKey[]>
  listLive(
    filter: KeyFilter,
    slice: { readonly limit: number; readonly offset: number },
  ): Promise<Listed<ApiKey>>
  /** Changes the fields that people set; the version becomes that of the key. */
  update(key: ApiKey): Promise<void>
  /** Replaces the secret. The one before is accepted until `key.formerUntil`. */
  rotate(key: ApiKey, hash: string): Promise<void>
  /** Replaces the secret that the client never received; the one before a rotation is accepted as before. */
  reissue(id: KeyId, hash: string): Promise<void>
  /** False when the key does not exist. A key that is revoked already is unchanged. */
  revoke(id: KeyId, now: string): Promise<boolean>
}

import type { Caller, Permission } from '../../domain/caller.ts'
import type { KeyId, ProjectId, UserId } from '../../domain/ids.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import type { KeyPlan } from '../../domain/plan-allowance.ts'

/** An API key without the key. */
export interface ApiKey extends KeyPlan {
  readonly id: KeyId
  readonly userId: UserId
  readonly projectScope: ProjectId | null
  readonly name: string
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
  /** Found by a secret of before a rotation, it expires with that. */
  readonly key: ApiKey
  /** True if the account of the key is locked. */
  readonly isLocked: boolean
  readonly caller: Caller
}

export interface KeyRepository {
  insert(key: ApiKey, hash: string): Promise<void>
  /**
   * The key with its user, also when it is expired or revoked; null when no key has this hash.
   *
   * @param now when the keys are valid whose plans count for the allowance of the account.
   */
  findByHash(hash: string, now: string): Promise<FoundKey | null>
  /** Finds a key like `findByHash`, by its id. */
  findCaller(id: KeyId, now: string): Promise<FoundKey | null>
  find(id: KeyId): Promise<ApiKey | null>
  /** The different plans of a user's keys that are neither revoked nor expired. */
  plansOf(userId: UserId, now: string): Promise<readonly KeyPlan[]>
  list(): Promise<readonly ApiKey[]>
  listLive(filter: KeyFilter, slice: Slice): Promise<Listed<ApiKey>>
  /** Changes the fields that users set; the version becomes that of the key. */
  update(key: ApiKey): Promise<void>
  /**
   * Replaces the secret. The one before is accepted until `key.formerUntil`, and those before it as long as they would have
   * been; all of them end when that time is not in the future.
   */
  rotate(key: ApiKey, hash: string, now: string): Promise<void>
  /** Secrets from before the previous one that are still accepted. */
  countEarlier(id: KeyId, now: string): Promise<number>
  /** Replaces the secret that the client never received; the one before a rotation is accepted as before. */
  reissue(id: KeyId, hash: string): Promise<void>
  /** False when the key does not exist. A key that is revoked already is unchanged. */
  revoke(id: KeyId, now: string): Promise<boolean>
}

import type { KeyId, ProjectId, SessionId, UserId } from './ids.ts'
import type { Allowance } from './rate-limit.ts'

/** `manage` is for the account's keys and its audit log; a key has it only where it was asked for. */
export const PERMISSIONS = ['read', 'write', 'publish', 'manage'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** Permissions of a key that is created without naming any. */
export const DEFAULT_PERMISSIONS = ['read', 'write', 'publish'] as const satisfies readonly Permission[]

export const PLANS = ['standard', 'free', 'pro', 'business', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

/**
 * Called with the bytes of content before it is read from the database.
 *
 * @throws {ServiceError} `service_unavailable` when the process has no room for them.
 */
export type ReserveBytes = (bytes: number) => void

/** Proof of the sender of a request: an API key, or the session of a user who signed in. */
export type Credential =
  | { readonly kind: 'key'; readonly id: KeyId }
  | { readonly kind: 'session'; readonly id: SessionId }

/** The caller of a request: a user, and the key or session that speaks for them. */
export interface Caller {
  readonly userId: UserId
  readonly via: Credential
  readonly email: string
  /** The project that the key is restricted to; null when unrestricted, as sessions always are. */
  readonly projectScope: ProjectId | null
  readonly permissions: readonly Permission[]
  readonly plan: Plan
  /** Limits of the plan, or of an enterprise key. */
  readonly allowance: Allowance
  /** Allowance of the largest plan of the user's valid keys: all keys and sessions have a multiple of it together. */
  readonly accountAllowance: Allowance
  readonly canCreateProjects: boolean
  /** Id of the request in the log; absent outside requests. */
  readonly requestId?: string
  /** The address that rate limits count; absent outside requests. */
  readonly clientAddress?: string
  /** Reserves memory for the request; absent outside requests. */
  readonly reserve?: ReserveBytes
  /** Set when the request has an idempotency key. */
  readonly idempotentRequest: IdempotentRequest | null
}

/**
 * The API key of a caller.
 *
 * @throws {Error} for a session. The API takes keys only, so its routes never have one.
 */
export function keyOf({ via }: Pick<Caller, 'via'>): KeyId {
  if (via.kind !== 'key') throw new Error('The caller has a session in place of an API key.')
  return via.id
}

/** Identity of a request with an idempotency key. */
export interface IdempotentRequest {
  readonly keyId: KeyId
  readonly path: string
  /** The key that the client chose. */
  readonly idempotencyKey: string
  /** SHA-256 of the body, hex. */
  readonly bodyDigest: string
}

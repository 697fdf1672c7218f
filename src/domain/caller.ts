import type { KeyId, ProjectId, UserId } from './ids.ts'
import type { Allowance } from './rate-limit.ts'

/** `manage` is for the account's keys; a key has it only where it was asked for. */
export const PERMISSIONS = ['read', 'write', 'publish', 'manage'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** Of a key that is created without naming its permissions. */
export const DEFAULT_PERMISSIONS = ['read', 'write', 'publish'] as const satisfies readonly Permission[]

export const PLANS = ['standard', 'free', 'pro', 'business', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

/**
 * Called with the bytes of content before it is read from the database.
 *
 * @throws {ServiceError} `service_unavailable` when the process has no room for them.
 */
export type ReserveBytes = (bytes: number) => void

/** The caller of a request: its API key and the user that owns the key. */
export interface Caller {
  readonly userId: UserId
  readonly keyId: KeyId
  readonly email: string
  /** The project that the key is restricted to; null when unrestricted. */
  readonly projectScope: ProjectId | null
  readonly permissions: readonly Permission[]
  readonly plan: Plan
  /** Limits of the plan, or of an enterprise key. */
  readonly allowance: Allowance
  readonly canCreateProjects: boolean
  /** Id of the request in the log; absent outside requests. */
  readonly requestId?: string
  /** Reserves memory for the request; absent outside requests. */
  readonly reserve?: ReserveBytes
  /** Set when the request has an idempotency key. */
  readonly idempotentRequest: IdempotentRequest | null
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

import type { KeyId, ProjectId, UserId } from './ids.ts'
import type { Allowance } from './rate-limit.ts'

export const PERMISSIONS = ['read', 'write', 'publish'] as const
export type Permission = (typeof PERMISSIONS)[number]

export const PLANS = ['standard', 'free', 'pro', 'business', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

/** Who asks: the live key of a request and the user it belongs to. */
export interface Caller {
  readonly userId: UserId
  readonly keyId: KeyId
  readonly email: string
  /** The one project the key may touch; null when unrestricted. */
  readonly projectScope: ProjectId | null
  readonly permissions: readonly Permission[]
  readonly plan: Plan
  /** The plan's numbers, or an enterprise key's own. */
  readonly allowance: Allowance
  readonly canCreateProjects: boolean
  /** Names the request in the log; absent where there is none. */
  readonly requestId?: string
  /** Set when the client may send the request again and wants its effect once. */
  readonly idempotentRequest: IdempotentRequest | null
}

/** What makes two requests the same one, sent twice. */
export interface IdempotentRequest {
  readonly keyId: KeyId
  readonly path: string
  /** The client's own name for the request. */
  readonly idempotencyKey: string
  /** SHA-256 of the body, hex. */
  readonly bodyDigest: string
}

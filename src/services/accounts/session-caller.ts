import type { FoundSession, Session } from '../../db/repositories/sessions.ts'
import type { Repositories } from '../../db/repositories.ts'
import { type Caller, PERMISSIONS } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { SessionId, UserId } from '../../domain/ids.ts'
import { allowanceOf, type KeyPlan, largestPlan } from '../../domain/plan-allowance.ts'

const HOUR_MS = 60 * 60 * 1000

/** A session lasts this long at most. */
export const SESSION_MS = 30 * 24 * HOUR_MS
/** A session that is not used ends after this time. */
const IDLE_MS = 12 * HOUR_MS

/** Reports whether requests with the session are accepted. */
export function isLiveSession({ usedAt, expiresAt }: Session, now: string): boolean {
  return now < expiresAt && Date.parse(now) < Date.parse(usedAt) + IDLE_MS
}

/** The caller of a request with a session: the user with all permissions, on the highest plan of the account. */
export async function callerOfSession(
  repositories: Pick<Repositories, 'keys'>,
  { session, user }: FoundSession,
  now: string,
): Promise<Caller> {
  const { plan, limits } = await planOfAccount(repositories, user.id, now)
  const allowance = allowanceOf(plan, limits)
  return {
    userId: user.id,
    via: { kind: 'session', id: session.id },
    email: user.email,
    projectScope: null,
    permissions: PERMISSIONS,
    plan,
    allowance,
    accountAllowance: allowance,
    canCreateProjects: user.canCreateProjects,
    idempotentRequest: null,
  }
}

/** The largest plan of a user's valid keys. */
export async function planOfAccount(
  { keys }: Pick<Repositories, 'keys'>,
  userId: UserId,
  now: string,
): Promise<KeyPlan> {
  return largestPlan(await keys.plansOf(userId, now))
}

/**
 * The session of the request. @throws {ServiceError} `forbidden` for a key: sessions and passwords belong to the user
 * who signs in.
 */
export function ownSession({ via }: Caller): SessionId {
  if (via.kind !== 'session')
    throw new ServiceError(
      'forbidden',
      'Sign in for this: API keys have no access to sessions and passwords.',
    )
  return via.id
}

import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { SessionId } from '../../domain/ids.ts'

/** @throws {ServiceError} `forbidden` for a key: sessions and passwords are the business of the person who signs in. */
export function ownSession({ via }: Caller): SessionId {
  if (via.kind !== 'session')
    throw new ServiceError(
      'forbidden',
      'Sign in for this: API keys have no access to sessions and passwords.',
    )
  return via.id
}

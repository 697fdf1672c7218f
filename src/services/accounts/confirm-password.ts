import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { type AttemptPorts, createPasswordAttempts } from './password-attempts.ts'
import { ownSession } from './session-caller.ts'

/** Checks the password of a signed-in user once more, so that a stolen session cannot change the sign-in. */
export function createConfirmPassword(ports: AttemptPorts) {
  const { db } = ports
  const attempts = createPasswordAttempts(ports)

  return {
    /**
     * Changes something after the password was right.
     *
     * @param change runs in the transaction that ends the attempt.
     * @throws {ServiceError} `validation_error` for `current_password`; `rate_limit_exceeded` and `service_unavailable`
     *   as a sign-in.
     */
    async withPassword<T>(
      caller: Caller,
      password: string,
      change: (repositories: Repositories) => Promise<T>,
    ): Promise<T> {
      const own = await db.read.sessions.find(ownSession(caller))
      const stored = await db.read.users.passwordHash(caller.userId)
      if (own === null) throw sessionEnded()
      const id = await attempts.begin(caller.email, own.session.address, true)
      if (!(await attempts.verify(id, password, stored))) throw wrongCurrent()
      return db.write(async (repositories) => {
        await repositories.signInAttempts.delete(id)
        return change(repositories)
      })
    },
  }
}

export function sessionEnded(): ServiceError {
  return new ServiceError('unauthorized', 'The session has ended. Sign in again.')
}

export function wrongCurrent(): ServiceError {
  return fieldFailure('validation_error', [
    { path: 'current_password', message: 'is not your current password.', code: 'invalid' },
  ])
}

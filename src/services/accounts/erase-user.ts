import type { User } from '../../db/repositories/accounts.ts'
import type { Repositories } from '../../db/repositories.ts'
import { accountHash } from './sign-in-limit.ts'

/**
 * Erases what the database has of a person, in every table: see `UserRepository.erase`. Rows of the audit log stay,
 * without the network addresses of the person. Call it inside a transaction, when the user has no project.
 */
export async function eraseUser(
  { users, audit, signInAttempts }: Pick<Repositories, 'users' | 'audit' | 'signInAttempts'>,
  { id, email }: User,
  now: string,
): Promise<void> {
  await users.erase(id, now)
  await signInAttempts.deleteOf(accountHash(email))
  await audit.blankAddresses(id)
}

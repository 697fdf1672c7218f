import type { Knex } from 'knex'
import { addressKey } from '../domain/email-address.ts'
import { ServiceError } from '../domain/errors.ts'
import { fieldFailure } from '../domain/field-errors.ts'
import { isUniqueViolation } from './errors.ts'
import type { UserRepository } from './repositories/accounts.ts'
import { endAccess, eraseUser, moveUser } from './user-removal.ts'
import { toUser, type UserRow } from './user-rows.ts'

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createUserRepository(db: Knex): UserRepository {
  const users = () => db<UserRow>('users').whereNull('deleted_at')
  const first = async (query: PromiseLike<UserRow | undefined>) => {
    const row = await query
    return row === undefined ? null : toUser(row)
  }

  return {
    async insert(user) {
      const { id, email, canCreateProjects, createdAt, verifiedAt = null } = user
      try {
        await db<Partial<UserRow>>('users').insert({
          id,
          email,
          email_key: addressKey(email),
          can_create_projects: canCreateProjects,
          created_at: createdAt,
          verified_at: verifiedAt,
        })
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw new ServiceError('conflict', `A user with the address ${email} exists already.`, {
          cause: error,
        })
      }
      return { ...user, verifiedAt, lockedAt: null, browsersKnownAfter: null }
    },

    find: (id) => first(users().where({ id }).first()),
    findByAddress: (email) => first(withAddress(email)),

    async credentials(email) {
      const row = await withAddress(email)
      return row === undefined ? null : { user: toUser(row), passwordHash: row.password_hash }
    },

    async passwordHash(id) {
      const row = await users().where({ id }).first('password_hash')
      return row?.password_hash ?? null
    },

    async setPasswordHash(id, hash) {
      await users().where({ id }).update({ password_hash: hash })
    },

    async forgetBrowsers(id, now) {
      await users().where({ id }).update({ browsers_known_after: now })
    },

    async setEmail(id, email, verifiedAt) {
      try {
        await users()
          .where({ id })
          .update({ email, email_key: addressKey(email), owns_address: true, verified_at: verifiedAt })
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw fieldFailure('conflict', [{ path: 'email', message: 'is taken.', code: 'taken' }], {
          cause: error,
        })
      }
    },

    async verify(id, now) {
      await users().where({ id }).whereNull('verified_at').update({ verified_at: now })
    },

    async setLocked(id, lockedAt) {
      await users().where({ id }).update({ locked_at: lockedAt })
    },

    endAccess: (id, now) => endAccess(db, id, now),
    erase: (id, now) => eraseUser(db, id, now),
    move: (from, to) => moveUser(db, from, to),

    async hasPasswords() {
      return (await users().whereNotNull('password_hash').first('id')) !== undefined
    },

    list: async () => (await users().orderBy('created_at').orderBy('id')).map(toUser),
    withoutAddress: async () =>
      (await users().where({ owns_address: false }).orderBy('created_at').orderBy('id')).map(toUser),
    first: () => first(users().orderBy('created_at').orderBy('id').first()),
  }

  function withAddress(email: string) {
    return users()
      .where({ email_key: addressKey(email), owns_address: true })
      .first()
  }
}

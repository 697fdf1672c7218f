import type { Knex } from 'knex'
import { ServiceError } from '../domain/errors.ts'
import { fieldFailure } from '../domain/field-errors.ts'
import type { UserId } from '../domain/ids.ts'
import { addressKey } from '../domain/member.ts'
import { isUniqueViolation } from './errors.ts'
import { acceptInvitations } from './members.ts'
import type { User, UserRepository } from './repositories/accounts.ts'

export interface UserRow {
  readonly id: UserId
  readonly email: string
  readonly can_create_projects: number | boolean
  readonly created_at: string
  readonly password_hash: string | null
}

/** Tables with rows of people who have signed in, or for whom the operator did something. */
const USED_BY = ['projects', 'api_keys', 'sessions', 'passkeys', 'second_factors', 'email_changes', 'mails']

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createUserRepository(db: Knex): UserRepository {
  const users = () => db<UserRow>('users')
  const first = async (query: PromiseLike<UserRow | undefined>) => {
    const row = await query
    return row === undefined ? null : toUser(row)
  }

  return {
    async insert({ id, email, canCreateProjects, createdAt }) {
      try {
        await db('users').insert({
          id,
          email,
          email_key: addressKey(email),
          can_create_projects: canCreateProjects,
          created_at: createdAt,
        })
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw new ServiceError('conflict', `A user with the address ${email} exists already.`, {
          cause: error,
        })
      }
      await acceptInvitations(db, id, email)
    },

    find: (id) => first(users().where({ id }).first()),
    async findByAddress(email) {
      const rows = await users().where('email_key', addressKey(email)).orderBy('created_at').orderBy('id')
      const row = rows.find((row) => row.email === email) ?? rows[0]
      return row === undefined ? null : toUser(row)
    },

    findByEmail: (email) => first(users().where({ email }).first()),

    async credentials(email) {
      const rows = await users().whereRaw('lower(email) = lower(?)', [email])
      const row = rows.length === 1 ? rows[0] : rows.find((one) => one.email === email)
      return row === undefined ? null : { user: toUser(row), passwordHash: row.password_hash }
    },

    async passwordHash(id) {
      const row = await users().where({ id }).first('password_hash')
      return row?.password_hash ?? null
    },

    async setPasswordHash(id, hash) {
      await users().where({ id }).update({ password_hash: hash })
    },

    async setEmail(id, email) {
      try {
        await users()
          .where({ id })
          .update({ email, email_key: addressKey(email) } as Partial<UserRow>)
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw fieldFailure('conflict', [{ path: 'email', message: 'is taken.', code: 'taken' }], {
          cause: error,
        })
      }
    },

    async deleteUnused(id) {
      const user = await users().where({ id }).first()
      if (user === undefined || user.password_hash !== null || user.can_create_projects) return false
      for (const table of USED_BY)
        if ((await db(table).where({ user_id: id }).first('user_id')) !== undefined) return false
      await db('members').where({ user_id: id }).update({ user_id: null })
      await db('set_up_links').where({ user_id: id }).delete()
      await users().where({ id }).delete()
      return true
    },

    async hasPasswords() {
      return (await users().whereNotNull('password_hash').first('id')) !== undefined
    },

    list: async () => (await users().orderBy('created_at').orderBy('id')).map(toUser),
    first: () => first(users().orderBy('created_at').orderBy('id').first()),
  }
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    canCreateProjects: Boolean(row.can_create_projects),
    createdAt: row.created_at,
  }
}

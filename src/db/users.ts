import type { Knex } from 'knex'
import { ServiceError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { isUniqueViolation } from './errors.ts'
import type { User, UserRepository } from './repositories/accounts.ts'

interface UserRow {
  readonly id: UserId
  readonly email: string
  readonly can_create_projects: number | boolean
  readonly created_at: string
}

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
        await users().insert({ id, email, can_create_projects: canCreateProjects, created_at: createdAt })
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw new ServiceError('conflict', `A user with the address ${email} exists already.`, {
          cause: error,
        })
      }
    },

    find: (id) => first(users().where({ id }).first()),
    findByEmail: (email) => first(users().where({ email }).first()),
    list: async () => (await users().orderBy('created_at').orderBy('id')).map(toUser),
    first: () => first(users().orderBy('created_at').orderBy('id').first()),
  }
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    canCreateProjects: Boolean(row.can_create_projects),
    createdAt: row.created_at,
  }
}

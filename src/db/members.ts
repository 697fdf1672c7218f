import type { Knex } from 'knex'
import { fieldFailure } from '../domain/field-errors.ts'
import type { MemberId, ProjectId, UserId } from '../domain/ids.ts'
import { addressKey, type Member } from '../domain/member.ts'
import type { Role } from '../domain/roles.ts'
import { isUniqueViolation } from './errors.ts'
import type { MemberRepository } from './repositories/members.ts'

interface MemberRow {
  readonly id: MemberId
  readonly project_id: ProjectId
  readonly email: string
  readonly user_id: UserId | null
  readonly role: Role
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createMemberRepository(db: Knex): MemberRepository {
  const members = () => db<MemberRow>('members')

  return {
    async roleOf(projectId, userId) {
      const row = await members().where({ project_id: projectId, user_id: userId }).first('role')
      return row?.role ?? null
    },

    async list(projectId) {
      const rows = await members().where({ project_id: projectId }).orderBy('created_at').orderBy('id')
      const owner = await findOwner(projectId)
      return [...(owner === null ? [] : [owner]), ...rows.map(toMember)]
    },

    async find(projectId, id) {
      if (id === ownerId(projectId)) return findOwner(projectId)
      const row = await members().where({ id, project_id: projectId }).first()
      return row === undefined ? null : toMember(row)
    },

    async insert(member) {
      try {
        await db('members').insert(toRow(member))
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw fieldFailure('conflict', [{ path: 'email', message: 'is a member already.', code: 'taken' }], {
          cause: error,
        })
      }
    },

    async update({ id, role, updatedAt, version }) {
      await members().where({ id }).update({ role, updated_at: updatedAt, version })
    },

    async delete(id) {
      await members().where({ id }).delete()
    },

    acceptInvitations: (userId, email) => acceptInvitations(db, userId, email),
  }

  async function findOwner(projectId: ProjectId): Promise<Member | null> {
    const row = await db('projects')
      .join('users', 'users.id', 'projects.user_id')
      .where('projects.id', projectId)
      .first<OwnerRow | undefined>('users.id', 'users.email', 'projects.created_at')
    if (row === undefined) return null
    return {
      id: ownerId(projectId),
      projectId,
      email: addressKey(row.email),
      userId: row.id,
      role: 'owner',
      createdAt: row.created_at,
      updatedAt: row.created_at,
      version: 1,
    }
  }
}

/** As the repository has it, for the insert of a user. */
export async function acceptInvitations(db: Knex, userId: UserId, email: string): Promise<void> {
  await db('members')
    .where({ email: addressKey(email) })
    .whereNull('user_id')
    .whereNotIn('project_id', db('members').where({ user_id: userId }).select('project_id'))
    .whereNotIn('project_id', db('projects').where({ user_id: userId }).select('id'))
    .update({ user_id: userId })
}

interface OwnerRow {
  readonly id: UserId
  readonly email: string
  readonly created_at: string
}

/** A project has one owner of its account, so that the ids of both may be the same. */
function ownerId(projectId: ProjectId): MemberId {
  return projectId as string as MemberId
}

function toRow(member: Member): MemberRow {
  return {
    id: member.id,
    project_id: member.projectId,
    email: member.email,
    user_id: member.userId,
    role: member.role,
    created_at: member.createdAt,
    updated_at: member.updatedAt,
    version: member.version,
  }
}

function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    projectId: row.project_id,
    email: row.email,
    userId: row.user_id,
    role: row.role,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

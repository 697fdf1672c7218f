import type { Knex } from 'knex'
import { addressKey } from '../domain/email-address.ts'
import { fieldFailure } from '../domain/field-errors.ts'
import type { MailId, MemberId, ProjectId, UserId } from '../domain/ids.ts'
import type { MailProblem } from '../domain/mail-problem.ts'
import {
  type InvitationMail,
  type Member,
  type MemberSource,
  type MemberState,
  NEVER_INVITED,
} from '../domain/member.ts'
import type { Role } from '../domain/roles.ts'
import { isUniqueViolation } from './errors.ts'
import type { MemberRepository } from './repositories/members.ts'

export interface MemberRow {
  readonly id: MemberId
  readonly project_id: ProjectId
  readonly email: string
  readonly user_id: UserId | null
  readonly role: Role
  readonly state: MemberState
  readonly invited_at: string | null
  readonly invited_by: UserId | null
  readonly expires_at: string | null
  readonly source: MemberSource
  readonly mail_id: MailId | null
  readonly mail_status: InvitationMail['status']
  readonly mail_at: string | null
  readonly mail_problem: MailProblem | null
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}

interface LinkRow extends MemberRow {
  readonly shown_link_hash: string | null
  readonly mailed_link_hash: string | null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createMemberRepository(db: Knex): MemberRepository {
  const members = () => db<LinkRow>('members')

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

    async update(member) {
      await members().where({ id: member.id }).update(toRow(member))
    },

    async delete(id) {
      await members().where({ id }).delete()
    },

    async invitationsTo(email, now, limit) {
      const rows = await members()
        .where({ email: addressKey(email), state: 'invited' })
        .where('expires_at', '>', now)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
      return rows.map(toMember)
    },

    async findById(id) {
      const row = await members().where({ id }).first()
      return row === undefined ? null : toMember(row)
    },

    async findByLink(tokenHash) {
      const shown = await members().where({ shown_link_hash: tokenHash }).first()
      if (shown !== undefined) return { member: toMember(shown), isMailed: false }
      const mailed = await members().where({ mailed_link_hash: tokenHash }).first()
      return mailed === undefined ? null : { member: toMember(mailed), isMailed: true }
    },

    async setShownLink(id, tokenHash, staysMailed) {
      await members()
        .where({ id })
        .update({ shown_link_hash: tokenHash, ...(!staysMailed && { mailed_link_hash: null }) })
    },

    async setMailedLink(id, mailId, tokenHash) {
      const rows = members().where({ id, mail_id: mailId, state: 'invited' })
      return (await rows.update({ mailed_link_hash: tokenHash })) > 0
    },

    async recordMail(id, { id: mailId, status, at, problem }) {
      if (mailId === null) return
      await members()
        .where({ id, mail_id: mailId })
        .update({ mail_status: status, mail_at: at, mail_problem: problem })
    },
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
      ...NEVER_INVITED,
      createdAt: row.created_at,
      updatedAt: row.created_at,
      version: 1,
    }
  }
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
    state: member.state === 'expired' ? 'invited' : member.state,
    invited_at: member.invitedAt,
    invited_by: member.invitedBy,
    expires_at: member.expiresAt,
    source: member.source,
    mail_id: member.mail.id,
    mail_status: member.mail.status,
    mail_at: member.mail.at,
    mail_problem: member.mail.problem,
    created_at: member.createdAt,
    updated_at: member.updatedAt,
    version: member.version,
  }
}

function toMember(row: MemberRow): Member {
  // The previous version, which may still run, stores no states: its invitation can be sent again.
  const isStateless = row.state === 'active' && row.user_id === null
  return {
    id: row.id,
    projectId: row.project_id,
    email: row.email,
    userId: row.user_id,
    role: row.role,
    state: isStateless ? 'invited' : row.state,
    invitedAt: isStateless ? row.created_at : row.invited_at,
    invitedBy: row.invited_by,
    expiresAt: isStateless ? row.created_at : row.expires_at,
    source: row.source,
    mail: { id: row.mail_id, status: row.mail_status, at: row.mail_at, problem: row.mail_problem },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

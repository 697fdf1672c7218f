import type { Knex } from 'knex'
import type { ProjectId, UserId } from '../domain/ids.ts'
import { ROLES } from '../domain/roles.ts'
import type { MemberRow } from './members.ts'
import type { UserRow } from './user-rows.ts'

/** Tables with ways to use an account, next to its password. */
const ACCESS = ['recovery_codes', 'second_factors', 'passkeys', 'email_changes']
/** Tables with rows that end with their user. */
const OWNED = [...ACCESS, 'sessions', 'set_up_links', 'members']

/** Implements `endAccess` of the repository. */
export async function endAccess(db: Knex, id: UserId, now: string): Promise<void> {
  for (const table of ACCESS) await db(table).where({ user_id: id }).delete()
  await db('api_keys').where({ user_id: id }).whereNull('revoked_at').update({ revoked_at: now })
}

/** Implements `erase` of the repository. */
export async function eraseUser(db: Knex, id: UserId, now: string): Promise<void> {
  const row = await db('users').where({ id }).first<UserRow | undefined>()
  if (row === undefined) return
  for (const table of OWNED) await db(table).where({ user_id: id }).delete()
  await db('members').where({ email: row.email_key }).whereNull('user_id').delete()
  await db('members').where({ invited_by: id }).update({ invited_by: null })
  await db('transfer_offers').where({ email: row.email_key }).delete()
  await db('mails').whereIn('recipient', [row.email, row.email_key]).delete()
  await db('mails').where({ user_id: id }).update({ user_id: null })
  await db('api_keys').where({ user_id: id }).whereNull('revoked_at').update({ revoked_at: now })
  await db('users')
    .where({ id })
    .update({
      email: `deleted-${id}`,
      email_key: '',
      owns_address: false,
      password_hash: null,
      can_create_projects: false,
      limits: null,
      verified_at: null,
      browsers_known_after: null,
      deleted_at: now,
    })
}

/** Implements `move` of the repository. */
export async function moveUser(db: Knex, from: UserId, to: UserId): Promise<void> {
  await db('api_keys').where({ user_id: from }).update({ user_id: to })
  await db('pages').where({ created_by: from }).update({ created_by: to })
  for (const project of await db('members').where({ user_id: from }).pluck<ProjectId[]>('project_id'))
    await moveMembership(db, project, from, to)
}

/** Moves a membership. If both are members, the higher role stays. The owner of a project is no member. */
async function moveMembership(db: Knex, project: ProjectId, from: UserId, to: UserId): Promise<void> {
  const members = () => db<MemberRow>('members').where({ project_id: project })
  const both = await members().whereIn('user_id', [from, to]).select()
  const [retained] = [...both].sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role))
  const user = await db<UserRow>('users').where({ id: to }).first()
  if (retained === undefined || user === undefined) return
  const email = user.email_key
  await members().whereIn('user_id', [from, to]).delete()
  await members().where({ email }).whereNull('user_id').delete()
  if ((await db('projects').where({ id: project, user_id: to }).first('id')) === undefined)
    await db<MemberRow>('members').insert({ ...retained, user_id: to, email })
}

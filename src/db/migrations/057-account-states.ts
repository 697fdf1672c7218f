import type { Knex } from 'knex'
import { addressKey, isPlaceholder } from '../../domain/email-address.ts'

interface UserRow {
  readonly id: string
  readonly email: string
  readonly password_hash: string | null
  readonly can_create_projects: number | boolean
  readonly created_at: string
}

/**
 * Records whether the address of an account is verified, and whether the account is locked or deleted. Makes the key of an
 * address unique. Of accounts with one key the one that signed in last has it; the others do
 * not own it until they are merged. Addresses that an operator gave or a mailbox proved are verified.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('users', (table) => {
    /** When the operator or a mailed link proved the address; null while nothing has. */
    table.string('verified_at', 24)
    /** False while another user has the address in another spelling, from before keys of addresses were unique. */
    table.boolean('owns_address').notNullable().defaultTo(true)
    /** When the operator locked the account; null for one that can be used. */
    table.string('locked_at', 24)
    /** When the account was deleted or merged. The row stays for what names its id, without anything of the person. */
    table.string('deleted_at', 24)
  })
  const users = await db<UserRow>('users').orderBy('created_at').orderBy('id').select()
  const signedIn = await lastSignIns(db)
  const rank = (user: UserRow) => `${signedIn.get(user.id) ?? ''} ${user.password_hash === null ? 0 : 1}`
  const holders = new Map<string, UserRow>()
  for (const user of users) {
    const holder = holders.get(addressKey(user.email))
    if (holder === undefined || rank(user) > rank(holder)) holders.set(addressKey(user.email), user)
  }
  const owners = new Set([...holders.values()].map(({ id }) => id))
  for (const { id, email } of users)
    await db('users')
      .where({ id })
      .update({ email_key: addressKey(email), owns_address: owners.has(id) })
  await db.raw(
    'CREATE UNIQUE INDEX users_owned_address ON users (email_key, owns_address) WHERE owns_address',
  )

  for (const user of users.filter(isProved))
    await db('users').where({ id: user.id }).update({ verified_at: user.created_at })

  for (const { id, email } of await db('members').select('id', 'email')) await respell(db, id, email)
}

/** When each user last signed in or used a session, as far as it is recorded. */
async function lastSignIns(db: Knex): Promise<ReadonlyMap<string, string>> {
  interface SignIn {
    readonly user_id: string
    readonly at: string
  }
  const started = db('audit_log').where({ act: 'session.start' }).select('user_id').max({ at: 'created_at' })
  const used = db('sessions').select('user_id').max({ at: 'used_at' })
  const last = new Map<string, string>()
  for (const { user_id, at } of [
    ...(await started.groupBy('user_id').then((rows) => rows as SignIn[])),
    ...(await used.groupBy('user_id').then((rows) => rows as SignIn[])),
  ])
    if (at > (last.get(user_id) ?? '')) last.set(user_id, at)
  return last
}

/** False for an account that an invitation created and that never chose a password. */
function isProved({ email, password_hash, can_create_projects }: UserRow): boolean {
  return !isPlaceholder(email) && (password_hash !== null || Boolean(can_create_projects))
}

/** Gives an invitation the key of its address, unless the project has another one with it. */
async function respell(db: Knex, id: string, email: string): Promise<void> {
  const key = addressKey(email)
  if (key === email) return
  const project = db('members').where({ id }).select('project_id')
  const taken = await db('members').where({ email: key }).whereIn('project_id', project).first('id')
  if (taken === undefined) await db('members').where({ id }).update({ email: key })
}

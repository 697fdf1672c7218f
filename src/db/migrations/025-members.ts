import type { Knex } from 'knex'
import { addressKey } from '../../domain/email-address.ts'
import { createTrigger } from '../dialect.ts'

/** Members of projects, by e-mail address, and who created each page. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('users', (table) => {
    /** The address as `addressKey` has it. Not unique: earlier versions told capitals apart. */
    table.text('email_key').notNullable().defaultTo('')
    table.index(['email_key'])
  })
  const users: readonly { readonly id: string; readonly email: string }[] = await db('users').select(
    'id',
    'email',
  )
  for (const { id, email } of users)
    await db('users')
      .where({ id })
      .update({ email_key: addressKey(email) })

  await db.schema.createTable('members', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.text('email').notNullable()
    /** Null while no user has the address. */
    table.string('user_id', 16).references('users.id')
    table.string('role', 16).notNullable()
    table.string('created_at', 24).notNullable()
    table.string('updated_at', 24).notNullable()
    table.integer('version').notNullable()
    table.unique(['project_id', 'email'])
    table.unique(['project_id', 'user_id'])
    table.index(['user_id', 'project_id'])
    table.index(['email'])
  })

  await db.schema.alterTable('pages', (table) => {
    /** Null for pages from before there were members: the owner's. */
    table.string('created_by', 16)
  })

  await db.schema.alterTable('project_usage', (table) => {
    table.integer('members').notNullable().defaultTo(0)
  })
  for (const [event, row, amount] of [
    ['INSERT', 'NEW', '+ 1'],
    ['DELETE', 'OLD', '- 1'],
  ] as const)
    await createTrigger(db, {
      name: `usage_members_${event.toLowerCase()}`,
      event: `${event} ON members`,
      statements: [
        `UPDATE project_usage SET members = members ${amount} WHERE project_id = ${row}.project_id`,
      ],
    })
}

import type { Knex } from 'knex'

/** Offers of projects to people, who accept or decline them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('transfer_offers', (table) => {
    table.string('id', 16).primary()
    /** A project is offered to one person at a time. */
    table.string('project_id', 16).notNullable().unique().references('projects.id')
    /** The address as `addressKey` has it; it may be no user's. */
    table.string('email', 254).notNullable()
    table.string('created_at', 24).notNullable()
    table.string('expires_at', 24).notNullable()
    table.index(['email', 'expires_at'])
    table.index(['expires_at'])
  })
}

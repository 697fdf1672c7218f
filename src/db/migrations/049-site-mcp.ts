import type { Knex } from 'knex'

/** Whether agents may read a site over the Model Context Protocol. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    /** `read` or `none`. */
    table.string('mcp', 8).notNullable().defaultTo('none')
  })
}

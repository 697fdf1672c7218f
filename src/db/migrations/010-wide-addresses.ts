import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('projects', (table) => {
    /** The characters of the addresses of its pages: `standard` or `wide`. */
    table.string('slugs', 10).notNullable().defaultTo('standard')
  })
}

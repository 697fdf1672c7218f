import type { Knex } from 'knex'

/** Whether a site has pictures of its titles for link previews. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    /** `pages` or `none`. */
    table.string('social_cards', 8).notNullable().defaultTo('none')
  })
}

import type { Knex } from 'knex'

/** Pictures for link previews: whether a site has cards, and which originals are kept for pages. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    /** `pages` or `none`. */
    table.string('social_cards', 8).notNullable().defaultTo('pages')
  })
  // The holder of a pin may be a page, for the picture that was made of its title.
  await db.raw(`CREATE TRIGGER pins_page_deleted AFTER DELETE ON pages FOR EACH ROW
    BEGIN DELETE FROM media_pins WHERE holder = OLD.id; END`)
}

import type { Knex } from 'knex'
import { readTags, tagAddress } from '../../domain/tag.ts'

/** Tags of pages, with an index by address. Triggers fill it, so that no writer can forget it. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('pages', (table) => {
    /** JSON: an array of `[address, name]`. */
    table.text('tags').notNullable().defaultTo('[]')
  })
  await db.schema.createTable('page_tags', (table) => {
    table.string('project_id', 16).notNullable()
    table.string('address', 255).notNullable()
    table.string('page_id', 16).notNullable()
    table.primary(['project_id', 'address', 'page_id'])
    table.index(['page_id'])
  })
  const add = `INSERT INTO page_tags (project_id, address, page_id)
    SELECT NEW.project_id, json_extract(value, '$[0]'), NEW.id FROM json_each(NEW.tags)`
  const remove = 'DELETE FROM page_tags WHERE page_id = OLD.id'
  await db.raw(
    `CREATE TRIGGER tags_pages_insert AFTER INSERT ON pages FOR EACH ROW WHEN NEW.tags <> '[]' BEGIN ${add}; END`,
  )
  await db.raw(
    `CREATE TRIGGER tags_pages_update AFTER UPDATE OF tags ON pages FOR EACH ROW WHEN NEW.tags <> OLD.tags BEGIN ${remove}; ${add}; END`,
  )
  await db.raw(
    `CREATE TRIGGER tags_pages_delete AFTER DELETE ON pages FOR EACH ROW WHEN OLD.tags <> '[]' BEGIN ${remove}; END`,
  )
  await readStored(db)
  // Lists and neighbours of articles read the tags of every card.
  await db.raw("UPDATE live_pages SET card = json_set(card, '$.tags', json('[]'))")
}

/** Tags that stored pages state in their `config`. Those in front matter are read when the page is next written. */
async function readStored(db: Knex): Promise<void> {
  const tagged = await db('pages').where('config', 'like', '%"tags"%').select('id', 'config')
  for (const { id, config } of tagged) {
    const names = readTags(JSON.parse(config).tags)
    if (names.length === 0) continue
    const tags = JSON.stringify(names.map((name) => [tagAddress(name), name]))
    await db('pages').where({ id }).update({ tags })
  }
}

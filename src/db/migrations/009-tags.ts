import type { Knex } from 'knex'
import { readTags, tagAddress } from '../../domain/tag.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import { createTrigger, isPostgres, jsonItems } from '../dialect.ts'

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
    SELECT NEW.project_id, items.value ->> 0, NEW.id FROM ${jsonItems(db, 'NEW.tags')}`
  const remove = 'DELETE FROM page_tags WHERE page_id = OLD.id'
  await createTrigger(db, {
    name: 'tags_pages_insert',
    event: 'INSERT ON pages',
    when: "NEW.tags <> '[]'",
    statements: [add],
  })
  await createTrigger(db, {
    name: 'tags_pages_update',
    event: 'UPDATE OF tags ON pages',
    when: 'NEW.tags <> OLD.tags',
    statements: [remove, add],
  })
  await createTrigger(db, {
    name: 'tags_pages_delete',
    event: 'DELETE ON pages',
    when: "OLD.tags <> '[]'",
    statements: [remove],
  })
  // No version without this migration ran on PostgreSQL.
  if (isPostgres(db)) return
  await readStored(db)
  // Lists and neighbours of articles read the tags of every card.
  await db.raw("UPDATE live_pages SET card = json_set(card, '$.tags', json('[]'))")
}

/** As many characters as the largest front matter, with its two `---`. */
const FRONT_MATTER_LENGTH = 65_600

/** Fills in the tags of stored pages. Reads one page at a time, because all of them may not fit into memory. */
async function readStored(db: Knex): Promise<void> {
  const start = db.raw('substr(markdown, 1, ?)', FRONT_MATTER_LENGTH)
  const hasFrontMatter = "type IN ('article', 'docs') AND ltrim(?, char(65279)) LIKE '---%tags%'"
  const ids = await db('pages')
    .where('config', 'like', '%"tags"%')
    .orWhereRaw(hasFrontMatter, [start])
    .pluck<string[]>('id')
  for (const id of ids) {
    const page = await db('pages').where({ id }).first('type', 'config', { start })
    const names = tagsOf(page)
    if (names.length === 0) continue
    const tags = JSON.stringify(names.map((name) => [tagAddress(name), name]))
    await db('pages').where({ id }).update({ tags })
  }
}

/** As pages state them when they are written: in their `config`, or in the front matter of an article or docs page. */
function tagsOf({ type, config, start }: Record<'type' | 'config' | 'start', string>): readonly string[] {
  const own = JSON.parse(config).tags
  const hasFrontMatter = type === 'article' || type === 'docs'
  return readTags(own ?? (hasFrontMatter ? splitFrontMatter(start).frontMatter['tags'] : null))
}

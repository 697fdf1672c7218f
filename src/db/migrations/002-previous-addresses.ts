import { randomInt } from 'node:crypto'
import type { Knex } from 'knex'
import { ID_ALPHABET, ID_LENGTH } from '../../domain/ids.ts'

/** Rows per statement. */
const STEP = 200

/** Creates the table of previous paths of live pages. They redirect to the pages as long as the pages exist. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('former_addresses', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable()
    table.string('page_id', 16).notNullable().references('pages.id').onDelete('CASCADE')
    table.text('path').notNullable()
    /** When the page last left it. */
    table.string('left_at', 24).notNullable()
    table.unique(['page_id', 'path'])
    table.index(['project_id', 'path'])
  })
  const moved = await db('live_pages')
    .join('pages', 'pages.id', 'live_pages.page_id')
    .whereNot('live_pages.redirects', '[]')
    .select<{ page_id: string; project_id: string; redirects: string; updated_at: string }[]>(
      'live_pages.page_id',
      'live_pages.project_id',
      'live_pages.redirects',
      'pages.updated_at',
    )
  const rows = moved.flatMap(({ redirects, updated_at: left_at, ...page }) => {
    const paths: readonly string[] = JSON.parse(redirects)
    return [...new Set(paths)].map((path) => ({ id: newId(), ...page, path, left_at }))
  })
  for (let start = 0; start < rows.length; start += STEP)
    await db('former_addresses').insert(rows.slice(start, start + STEP))
}

function newId(): string {
  return Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join('')
}

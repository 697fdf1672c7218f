import type { Knex } from 'knex'

/** Counts of visits, and whether a project has them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    table.string('visits', 10).notNullable().defaultTo('none')
  })
  await db.schema.createTable('visits', (table) => {
    table.string('project_id', 16).notNullable()
    /** UTC, `2026-11-28`. */
    table.string('day', 10).notNullable()
    /** `page`, `missing` or `search`. */
    table.string('kind', 10).notNullable()
    /** A path or a term; empty for those beyond the limit of the day. */
    table.text('name').notNullable()
    table.integer('people').notNullable()
    table.integer('agents').notNullable()
    table.primary(['project_id', 'day', 'kind', 'name'])
    table.index(['day'])
  })
}

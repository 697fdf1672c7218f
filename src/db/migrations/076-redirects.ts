import type { Knex } from 'knex'

/** Redirects of projects that belong to no page. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('redirects', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable()
    table.text('path').notNullable()
    /** The path in the one form of addresses. */
    table.text('address').notNullable()
    /** The page that it leads to; null for any other target. */
    table.string('page_id', 16)
    /** A path of the site or a URL; null for a page. */
    table.text('target')
    table.text('fragment')
    /** What is at the target, or was when there last was something. */
    table.string('target_kind', 4).notNullable()
    /** Key of the object that answers for it; null while it is not live. */
    table.text('object_key')
    /** JSON, as `RedirectEnd`; null while nothing is at the target. */
    table.text('leads_to')
    table.string('created_at', 24).notNullable()
    table.unique(['project_id', 'address'])
    table.index(['project_id', 'path'])
    table.index(['project_id', 'object_key'])
  })
}

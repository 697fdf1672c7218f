import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('jobs', (table) => {
    // Finds the queued jobs of each project without reading past the first.
    table.index(['kind', 'state', 'project_id', 'due_at', 'seq'])
  })
}

import type { Knex } from 'knex'

/** Work that no request waits for. */
export async function createJobs(db: Knex): Promise<void> {
  await db.schema.createTable('jobs', (table) => {
    table.bigIncrements('seq')
    table.string('id', 16).notNullable().unique()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('kind', 32).notNullable()
    /** Subject of the job, such as a page id; jobs are cancelled by it. */
    table.string('subject', 16)
    table.text('payload').notNullable()
    table.string('state', 16).notNullable()
    table.integer('total').notNullable()
    table.integer('done').notNullable().defaultTo(0)
    table.text('failed').notNullable()
    /** Warnings of pages that went live, JSON; null without any. */
    table.text('warnings')
    /** Who asked for it, JSON; null for work of the service itself. */
    table.text('actor')
    /** Position for resuming; null before the first effect. */
    table.text('checkpoint')
    /** Runs since the last progress. */
    table.integer('attempts').notNullable().defaultTo(0)
    table.string('due_at', 24).notNullable()
    /** The process that runs the job; null while none does. */
    table.string('holder', 32)
    /** Grows when the job is claimed or cancelled. Writes with an older fence change no row. */
    table.integer('fence').notNullable().defaultTo(0)
    /** Grows with each renewal, every second. */
    table.integer('beat').notNullable().defaultTo(0)
    table.string('created_at', 24).notNullable()
    table.string('finished_at', 24)
    table.index(['state', 'kind', 'due_at', 'seq'])
    table.index(['project_id', 'kind', 'state'])
    table.index(['kind', 'subject'])
    // Finds the queued jobs of each subject, and of each project, without reading past the first.
    table.index(['kind', 'state', 'subject', 'due_at', 'seq'])
    table.index(['kind', 'state', 'project_id', 'due_at', 'seq'])
    table.index(['finished_at'])
  })

  /** Work of no project. One process does it for all that share the database. */
  await db.schema.createTable('recurring_work', (table) => {
    table.string('name', 64).primary()
    /** When a process may begin the next run. */
    table.string('due_at', 24).notNullable()
  })
}

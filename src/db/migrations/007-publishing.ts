import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('releases', (table) => {
    /** When a request that awaits the release has to be answered; null when none does. */
    table.string('deadline_at', 24)
  })

  await db.schema.alterTable('search_bases', (table) => {
    /** Whether files of the index are being written, so that those on the CDN are unknown. */
    table.boolean('is_writing').notNullable().defaultTo(false)
  })

  await db.schema.createTable('servers', (table) => {
    table.string('id', 32).primary()
    /** When the running server last said so. */
    table.string('seen_at', 24).notNullable()
  })

  await addPositions(db)
}

/** Schedules that were made before they recorded after which release. */
async function addPositions(db: Knex): Promise<void> {
  const waiting = db('jobs').where({ kind: 'scheduled-publish' }).whereIn('state', ['queued', 'running'])
  for (const { id, payload, created_at } of await waiting.select('id', 'payload', 'created_at')) {
    const [last] = await db('releases').where('created_at', '<', created_at).max('seq as seq')
    const positioned = { ...JSON.parse(payload), afterSeq: last?.['seq'] ?? 0 }
    await db('jobs')
      .where({ id })
      .update({ payload: JSON.stringify(positioned) })
  }
}

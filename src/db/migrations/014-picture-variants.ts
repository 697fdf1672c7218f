import type { Knex } from 'knex'
import { createTrigger } from '../dialect.ts'

/** The smaller pictures that are derived from originals. They are in the media store for as long as their original. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('originals', (table) => {
    /** As the status of its assets; null where no variants were requested. */
    table.string('variants', 16)
    table.text('failure')
  })
  await db.schema.createTable('media_variants', (table) => {
    table.string('original_id', 16).notNullable().references('originals.id')
    table.string('project_id', 16).notNullable()
    table.string('format', 8).notNullable()
    table.integer('width').notNullable()
    table.integer('height').notNullable()
    /** SHA-256 of its bytes, hex. */
    table.string('digest', 64).notNullable()
    table.bigInteger('bytes').notNullable()
    table.primary(['original_id', 'format', 'width'])
    table.index(['project_id', 'digest'])
  })
  await createTrigger(db, {
    name: 'variants_original_deleted',
    time: 'BEFORE',
    event: 'DELETE ON originals',
    statements: ['DELETE FROM media_variants WHERE original_id = OLD.id'],
  })
}

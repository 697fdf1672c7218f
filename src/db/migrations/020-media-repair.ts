import type { Knex } from 'knex'
import { createTrigger, isPostgres } from '../dialect.ts'

/** Originals that the media store has lost, and variants by the version of the recipe that they were derived with. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('originals', (table) => {
    /** Whether a repair found neither its bytes nor a published copy of them. */
    table.boolean('is_lost').notNullable().defaultTo(false)
    /** Version of the recipe of the variants that pages get. */
    table.integer('recipe').notNullable().defaultTo(1)
    /** Version of the recipe that variants were requested with last. */
    table.integer('requested_recipe').notNullable().defaultTo(1)
    /** When the variants of the recipe replaced those of an earlier one; null where none were replaced. */
    table.string('recipe_since', 24)
  })
  if (isPostgres(db)) {
    await db.schema.alterTable('media_variants', (table) => {
      table.dropPrimary()
      table.integer('recipe').notNullable().defaultTo(1)
      table.primary(['original_id', 'format', 'width', 'recipe'])
    })
    return
  }
  // SQLite cannot change a primary key.
  await db.raw('DROP TRIGGER variants_original_deleted')
  await db.schema.renameTable('media_variants', 'media_variants_before')
  await db.schema.createTable('media_variants', (table) => {
    table.string('original_id', 16).notNullable().references('originals.id')
    table.string('project_id', 16).notNullable()
    table.string('format', 8).notNullable()
    table.integer('width').notNullable()
    table.integer('height').notNullable()
    /** SHA-256 of its bytes, hex. */
    table.string('digest', 64).notNullable()
    table.bigInteger('bytes').notNullable()
    table.integer('recipe').notNullable().defaultTo(1)
    table.primary(['original_id', 'format', 'width', 'recipe'])
  })
  const columns = 'original_id, project_id, format, width, height, digest, bytes'
  await db.raw(`INSERT INTO media_variants (${columns}) SELECT ${columns} FROM media_variants_before`)
  await db.schema.dropTable('media_variants_before')
  await db.schema.alterTable('media_variants', (table) => {
    table.index(['project_id', 'digest'])
  })
  await createTrigger(db, {
    name: 'variants_original_deleted',
    time: 'BEFORE',
    event: 'DELETE ON originals',
    statements: ['DELETE FROM media_variants WHERE original_id = OLD.id'],
  })
}

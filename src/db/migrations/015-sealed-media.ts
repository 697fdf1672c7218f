import type { Knex } from 'knex'

/** Finds the releases that wrote sealed objects: what those pages show stays as long as they do. */
export async function up(db: Knex): Promise<void> {
  await db.raw('CREATE INDEX live_objects_sealed_by ON live_objects (release_id) WHERE key_id IS NOT NULL')
}

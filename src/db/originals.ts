import type { Knex } from 'knex'
import type { OriginalId } from '../domain/asset.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { OriginalRepository } from './repositories.ts'

interface OriginalRow {
  readonly id: OriginalId
  readonly project_id: ProjectId
  readonly digest: string
  readonly stored_digest: string | null
  readonly bytes: number
  readonly state: 'storing' | 'stored' | 'removing'
  readonly due_at: string | null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createOriginalRepository(db: Knex): OriginalRepository {
  const originals = () => db<OriginalRow>('originals')
  const storedWith = (projectId: ProjectId, digest: string) =>
    originals().where({ project_id: projectId, digest, state: 'stored' }).whereNotNull('stored_digest')
  /** Those that no asset has, and neither a release nor a live site shows. */
  const unneeded = () =>
    originals()
      .whereNotExists(db('assets').where('original_id', db.ref('originals.id')).select(db.raw('1')))
      .whereNotExists(db('media_pins').where('original_id', db.ref('originals.id')).select(db.raw('1')))

  return {
    async findStored(projectId, digest) {
      const row = await storedWith(projectId, digest).first('id')
      return row?.id ?? null
    },

    async findBytes(projectId, digest) {
      const row = await storedWith(projectId, digest).first('stored_digest', 'bytes')
      return row?.stored_digest == null ? null : { digest: row.stored_digest, bytes: row.bytes }
    },

    async insertStoring({ id, projectId, digest, storedDigest, bytes }, dueAt) {
      await originals().insert({
        id,
        project_id: projectId,
        digest,
        stored_digest: storedDigest,
        bytes,
        state: 'storing',
        due_at: dueAt,
      })
    },

    async markStored(id) {
      const stored = { state: 'stored', due_at: null } as const
      const changed = await originals().where({ id }).whereIn('state', ['storing', 'stored']).update(stored)
      return changed > 0
    },

    async release(id, dueAt) {
      const changed = await unneeded().where({ id }).update({ state: 'removing', due_at: dueAt })
      return changed > 0
    },

    async due(now, limit) {
      const rows = await unneeded()
        .where('due_at', '<=', now)
        .whereNot({ state: 'stored' })
        .orderBy('due_at')
        .limit(limit)
      return rows.map(({ id, project_id, digest, bytes }) => ({ id, projectId: project_id, digest, bytes }))
    },

    async delete(id) {
      await originals().where({ id, state: 'removing' }).delete()
    },
  }
}

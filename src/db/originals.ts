import type { Knex } from 'knex'
import type { OriginalId } from '../domain/asset.ts'
import type { ProjectId } from '../domain/ids.ts'
import { UNFINISHED } from '../domain/release.ts'
import type { OriginalRepository } from './repositories.ts'

interface OriginalRow {
  readonly id: OriginalId
  readonly project_id: ProjectId
  readonly digest: string
  readonly bytes: number
  readonly state: 'storing' | 'stored' | 'removing'
  readonly due_at: string | null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createOriginalRepository(db: Knex): OriginalRepository {
  const originals = () => db<OriginalRow>('originals')

  return {
    async findStored(projectId, digest) {
      const row = await originals().where({ project_id: projectId, digest, state: 'stored' }).first('id')
      return row?.id ?? null
    },

    async insertStoring({ id, projectId, digest, bytes }, dueAt) {
      await originals().insert({ id, project_id: projectId, digest, bytes, state: 'storing', due_at: dueAt })
    },

    async markStored(id) {
      const stored = { state: 'stored', due_at: null } as const
      const changed = await originals().where({ id }).whereIn('state', ['storing', 'stored']).update(stored)
      return changed > 0
    },

    async release(id, dueAt) {
      const changed = await originals()
        .where({ id })
        .whereNotExists(db('assets').where({ original_id: id }).select(db.raw('1')))
        .update({ state: 'removing', due_at: dueAt })
      return changed > 0
    },

    async due(now, limit) {
      const unfinished = db('releases')
        .whereRaw('releases.project_id = originals.project_id')
        .whereIn('state', [...UNFINISHED])
        .whereRaw('instr(releases.media, originals.digest)')
      const rows = await originals()
        .where('due_at', '<=', now)
        .whereNot({ state: 'stored' })
        // A publish that was accepted shows what its names meant then.
        .whereNotExists(unfinished.select(db.raw('1')))
        .orderBy('due_at')
        .limit(limit)
      return rows.map(({ id, project_id, digest, bytes }) => ({ id, projectId: project_id, digest, bytes }))
    },

    async delete(id) {
      await originals().where({ id, state: 'removing' }).delete()
    },
  }
}

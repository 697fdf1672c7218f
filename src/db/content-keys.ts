import type { Knex } from 'knex'
import type { ProjectId } from '../domain/ids.ts'
import { toWrappedKey } from './release-rows.ts'
import type { ContentKeyRepository } from './repositories/secrets.ts'

interface WrappedRow {
  readonly project_id: ProjectId
  readonly key_version: number
  readonly master_key_id: string
  readonly wrapped: string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createContentKeyRepository(db: Knex): ContentKeyRepository {
  return {
    async findWrappedByOther(masterKeyId, limit) {
      const rows = await db<WrappedRow>('content_keys')
        .whereNotNull('wrapped')
        .whereNot({ master_key_id: masterKeyId })
        .orderBy(['project_id', 'key_version'])
        .limit(limit)
      return rows.map((row) => ({ ...toWrappedKey(row), projectId: row.project_id }))
    },

    async rewrap(projectId, before, after) {
      await db('content_keys')
        .where({ project_id: projectId, key_version: before.version, wrapped: before.sealed })
        .update({ wrapped: after.sealed, master_key_id: after.masterKeyId })
    },
  }
}

import type { Knex } from 'knex'
import type { ProjectId } from '../../domain/ids.ts'
import { originalKey, originalVariantKey } from '../../domain/original-key.ts'
import type { StoredArtifact, StoredArtifacts } from '../../publish/ledger/stored-artifacts.ts'
import type { Connections } from '../connections.ts'
import { toWrappedKey } from '../release-rows.ts'
import type { LeaseTransaction } from './leases.ts'
import { inChunks } from './objects.ts'

export function createStoredArtifacts(
  { reader, transact }: Pick<Connections, 'reader' | 'transact'>,
  underLease: LeaseTransaction,
): StoredArtifacts {
  return {
    async find(projectId, digest) {
      const row = await reader('artifacts').where({ project_id: projectId, digest }).first()
      return row === undefined ? null : { digest, bytes: row.bytes, sealed: Boolean(row.sealed) }
    },

    async store(lease, artifacts) {
      await underLease(lease, (trx) => writeArtifacts(trx, lease.projectId, artifacts))
    },

    async findOriginal(projectId, digest) {
      const row = await reader('originals')
        .where({ project_id: projectId, stored_digest: digest, state: 'stored' })
        .orderBy('is_lost')
        .first('id', 'digest', 'bytes')
      if (row !== undefined) return { key: originalKey(projectId, row.digest, row.id), bytes: row.bytes }
      const variant = await reader('media_variants')
        .join('originals', 'originals.id', 'media_variants.original_id')
        .where({ 'media_variants.project_id': projectId, 'media_variants.digest': digest, state: 'stored' })
        .first(
          'originals.id',
          { original: 'originals.digest' },
          'format',
          'width',
          'media_variants.recipe',
          'media_variants.bytes',
        )
      if (variant === undefined) return null
      const of = { id: variant.id, digest: variant.original }
      return { key: originalVariantKey(projectId, of, variant), bytes: variant.bytes }
    },

    async contentsOf(id) {
      const release = await reader('releases').where({ id }).whereNotNull('digests').first('digests')
      if (release === undefined) return null
      const rows = await reader('release_objects').where({ release_id: id }).orderBy('key')
      return {
        digests: JSON.parse(release.digests),
        objects: rows.map(({ key, stage, digest }) => ({ key, stage, digest })),
      }
    },

    async contentKeys(projectId) {
      const rows = await reader('content_keys')
        .where({ project_id: projectId })
        .whereNotNull('wrapped')
        .orderBy('key_version', 'desc')
      return rows.map(toWrappedKey)
    },

    async projectsToSeal() {
      const unsealed = reader('artifacts')
        .where({ sealed: false })
        .where('artifacts.project_id', reader.ref('projects.id'))
      return reader('projects')
        .where({ hosting_mode: 'data_mode' })
        .whereExists(unsealed.select(reader.raw('1')))
        .pluck('id')
    },

    async findUnsealed(projectId, limit) {
      const rows = await reader('artifacts').where({ project_id: projectId, sealed: false }).limit(limit)
      return rows.map(({ digest, bytes }) => ({ digest, bytes, sealed: false }))
    },

    async replaceSealed(projectId, sealed) {
      await transact(async (trx) => {
        for (const { digest, bytes } of sealed)
          await trx('artifacts').where({ project_id: projectId, digest }).update({ bytes, sealed: true })
      })
    },
  }
}

export async function writeArtifacts(
  trx: Knex,
  projectId: ProjectId,
  artifacts: readonly StoredArtifact[],
): Promise<void> {
  const rows = artifacts.map((artifact) => ({ project_id: projectId, ...artifact }))
  await inChunks(rows, (chunk) =>
    trx('artifacts').insert(chunk).onConflict(['project_id', 'digest']).ignore(),
  )
}

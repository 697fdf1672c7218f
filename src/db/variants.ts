import type { Knex } from 'knex'
import type { AssetStatus, OriginalId } from '../domain/asset.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { StoredVariant } from '../domain/picture-variants.ts'
import { jsonWith } from './dialect.ts'
import type { VariantRepository } from './repositories.ts'

interface VariantRow extends StoredVariant {
  readonly original_id: OriginalId
  readonly project_id: ProjectId
}

interface OriginalRow {
  readonly id: OriginalId
  readonly project_id: ProjectId
  readonly stored_digest: string | null
  readonly state: string
  readonly variants: AssetStatus | null
  readonly failure: string | null
}

interface UnrequestedRow extends Pick<OriginalRow, 'id' | 'project_id'> {
  readonly digest: string
  readonly image: string | null
}

/** Originals per statement. */
const PER_STATEMENT = 500

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createVariantRepository(db: Knex): VariantRepository {
  const originals = () => db<OriginalRow>('originals')

  return {
    async of(ids) {
      const found = new Map<OriginalId, StoredVariant[]>()
      for (let start = 0; start < ids.length; start += PER_STATEMENT)
        for (const { original_id, width, height, format, digest, bytes } of await db('media_variants')
          .whereIn('original_id', ids.slice(start, start + PER_STATEMENT))
          .orderBy(['original_id', 'format', 'width'])
          .select<VariantRow[]>()) {
          const variant = { width, height, format, digest, bytes }
          const known = found.get(original_id)
          if (known === undefined) found.set(original_id, [variant])
          else known.push(variant)
        }
      return found
    },

    async status(id) {
      const row = await originals().where({ id }).first('variants', 'failure')
      return row?.variants == null ? null : { status: row.variants, failure: row.failure }
    },

    async setStatus(id, known) {
      const failure = known?.failure ?? null
      await originals()
        .where({ id })
        .update({ variants: known?.status ?? null, failure })
      await db('assets')
        .where({ original_id: id })
        .update({ status: known?.status ?? 'ready', failure })
    },

    async unrequested(userId, limit) {
      const rows = await db('projects')
        .join('originals', 'originals.project_id', 'projects.id')
        .join('assets', 'assets.original_id', 'originals.id')
        .where({ 'projects.user_id': userId, 'originals.state': 'stored', 'originals.variants': null })
        .whereNotNull('originals.stored_digest')
        .groupBy('originals.id')
        .limit(limit)
        .select<UnrequestedRow[]>(
          'originals.id',
          'originals.project_id',
          'originals.digest',
          db.raw('min(assets.image) AS image'),
        )
      return rows.map(({ id, project_id: projectId, digest, image }) => ({
        originalId: id,
        projectId,
        digest,
        image: image === null ? null : JSON.parse(image),
      }))
    },

    async setColours(id, { colour, thumbhash }) {
      await db('assets')
        .where({ original_id: id })
        .whereNotNull('image')
        .update({
          image: jsonWith(db, 'image', { colour, thumbhash }),
        })
    },

    async storedDigest(id) {
      const row = await originals().where({ id, state: 'stored' }).first('stored_digest')
      return row?.stored_digest ?? null
    },

    async insert(id, variant) {
      const original = await originals().where({ id, state: 'stored' }).first('project_id')
      if (original === undefined) return false
      await db('media_variants')
        .insert({ original_id: id, project_id: original.project_id, ...variant })
        .onConflict(['original_id', 'format', 'width'])
        .merge()
      return true
    },
  }
}

import type { Knex } from 'knex'
import type { AssetStatus, OriginalId } from '../domain/asset.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { StoredVariant } from '../domain/picture-variants.ts'
import { UNFINISHED } from '../domain/release.ts'
import { jsonWith } from './dialect.ts'
import type { VariantRepository } from './repositories/originals.ts'

interface VariantRow extends StoredVariant {
  readonly original_id: OriginalId
  readonly project_id: ProjectId
  readonly since: string | null
}

interface OriginalRow {
  readonly id: OriginalId
  readonly project_id: ProjectId
  readonly stored_digest: string | null
  readonly state: string
  readonly variants: AssetStatus | null
  readonly failure: string | null
  readonly recipe: number
  readonly requested_recipe: number
  readonly recipe_since: string | null
}

interface UnrequestedRow extends Pick<OriginalRow, 'id' | 'project_id' | 'variants'> {
  readonly digest: string
  readonly image: string | null
}

interface ReplacedRow extends Pick<VariantRow, 'project_id' | 'original_id' | 'format' | 'width' | 'recipe'> {
  readonly original_digest: string
}

/** Originals per statement. */
const PER_STATEMENT = 500

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createVariantRepository(db: Knex): VariantRepository {
  const originals = () => db<OriginalRow>('originals')

  return {
    of: (ids) =>
      variantsOf(ids, (rows) =>
        rows
          .join('originals', 'originals.id', 'media_variants.original_id')
          .where('media_variants.recipe', db.ref('originals.recipe')),
      ),

    allOf: (ids) => variantsOf(ids, (rows) => rows),

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

    async setRequested(id, recipe) {
      const changed = await originals()
        .where({ id })
        .where('requested_recipe', '<', recipe)
        .update({ requested_recipe: recipe })
      const derived = db('media_variants').where({ original_id: id }).select(db.raw('1'))
      await originals().where({ id }).whereNotExists(derived).update({ recipe })
      return changed > 0
    },

    async show(id, recipe, now) {
      const changed = await originals()
        .where({ id })
        .whereNot({ recipe })
        .update({ recipe, recipe_since: now })
      if (changed > 0) await db('media_variants').where({ original_id: id, recipe }).update({ since: now })
    },

    async unrequested(userId, recipe, limit) {
      const rows = await db('projects')
        .join('originals', 'originals.project_id', 'projects.id')
        .join('assets', 'assets.original_id', 'originals.id')
        .where({ 'projects.user_id': userId, 'originals.state': 'stored', 'originals.is_lost': false })
        .where((due) =>
          due.whereNull('originals.variants').orWhere('originals.requested_recipe', '<', recipe),
        )
        .whereNotNull('originals.stored_digest')
        .groupBy('originals.id')
        .limit(limit)
        .select<UnrequestedRow[]>(
          'originals.id',
          'originals.project_id',
          'originals.digest',
          'originals.variants',
          db.raw('min(assets.image) AS image'),
        )
      return rows.map(({ id, project_id: projectId, digest, variants, image }) => ({
        originalId: id,
        projectId,
        digest,
        image: image === null ? null : JSON.parse(image),
        status: variants,
      }))
    },

    async replacedOf(before, after, limit) {
      const replaced = originals()
        .where('recipe_since', '<', before)
        .where({ state: 'stored' })
        .whereExists(
          db('media_variants')
            .where('original_id', db.ref('originals.id'))
            .where('recipe', '<', db.ref('originals.recipe'))
            .select(db.raw('1')),
        )
        .orderBy('id')
        .limit(limit)
      if (after !== null) replaced.where('id', '>', after)
      const ids: readonly OriginalId[] = await replaced.pluck('id')
      const rows: readonly ReplacedRow[] = await hiddenAmong(ids)
      return {
        variants: rows.map(
          ({ project_id: projectId, original_id: id, original_digest: digest, ...variant }) => ({
            ...variant,
            projectId,
            original: { id, digest },
          }),
        ),
        last: ids.length < limit ? null : (ids.at(-1) ?? null),
      }
    },

    async deleteReplaced(variants) {
      for (const { original, format, width, recipe } of variants)
        await db('media_variants').where({ original_id: original.id, format, width, recipe }).delete()
    },

    async setColours(id, { colour, thumbhash }) {
      await db('assets')
        .where({ original_id: id })
        .whereNotNull('image')
        .update({
          image: jsonWith(db, 'image', { colour, thumbhash }),
        })
    },

    async processing(projectId, digests) {
      const found: OriginalId[] = []
      for (let start = 0; start < digests.length; start += PER_STATEMENT)
        found.push(
          ...(await originals()
            .where({ project_id: projectId, variants: 'processing', state: 'stored' })
            .whereIn('stored_digest', digests.slice(start, start + PER_STATEMENT))
            .pluck('id')),
        )
      return found
    },

    async storedDigest(id) {
      const row = await originals().where({ id, state: 'stored' }).first('stored_digest')
      return row?.stored_digest ?? null
    },

    async insert(id, variant, now) {
      const original = await originals().where({ id, state: 'stored' }).first('project_id')
      if (original === undefined) return false
      await db('media_variants')
        .insert({
          original_id: id,
          project_id: original.project_id,
          ...variant,
          ...(now !== null && { since: now }),
        })
        .onConflict(['original_id', 'format', 'width', 'recipe'])
        .merge()
      return true
    },
  }

  /** Selects variants of earlier recipes that nothing shows, or with the same bytes as a variant on pages. */
  function hiddenAmong(ids: readonly OriginalId[]) {
    const former = (column: string) => db.ref(`former.${column}`)
    const shownBy = (table: string, column: string) =>
      db(table)
        .where(`${table}.project_id`, former('project_id'))
        .where(`${table}.${column}`, former('digest'))
        .select(db.raw('1'))
    const unfinished = db('media_pins')
      .join('releases', 'releases.id', 'media_pins.holder')
      .whereIn('releases.state', UNFINISHED)
      .where('media_pins.original_id', former('original_id'))
      .select(db.raw('1'))
    const same = shownBy('media_variants', 'digest')
      .join('originals AS current', 'current.id', 'media_variants.original_id')
      .where('media_variants.recipe', db.ref('current.recipe'))
      .where('current.state', 'stored')
    return db('media_variants AS former')
      .join('originals', 'originals.id', 'former.original_id')
      .whereIn('former.original_id', ids)
      .where('former.recipe', '<', db.ref('originals.recipe'))
      .whereNotExists(unfinished)
      .where((unneeded) =>
        unneeded
          .where((hidden) =>
            hidden
              .whereNotExists(shownBy('release_objects', 'digest'))
              .whereNotExists(shownBy('live_objects', 'artifact_digest')),
          )
          .orWhereExists(same),
      )
      .select<ReplacedRow[]>(
        'former.project_id',
        'former.original_id',
        { original_digest: 'originals.digest' },
        'former.format',
        'former.width',
        'former.recipe',
      )
  }

  async function variantsOf(
    ids: readonly OriginalId[],
    select: (rows: Knex.QueryBuilder) => Knex.QueryBuilder,
  ): Promise<ReadonlyMap<OriginalId, readonly StoredVariant[]>> {
    const found = new Map<OriginalId, StoredVariant[]>()
    for (let start = 0; start < ids.length; start += PER_STATEMENT) {
      const rows: readonly VariantRow[] = await select(db('media_variants'))
        .whereIn('original_id', ids.slice(start, start + PER_STATEMENT))
        .orderBy(['original_id', 'format', 'width'])
        .select('media_variants.*')
      for (const { original_id, project_id: _, since: __, ...variant } of rows) {
        const known = found.get(original_id)
        if (known === undefined) found.set(original_id, [variant])
        else known.push(variant)
      }
    }
    return found
  }
}

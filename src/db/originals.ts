import type { Knex } from 'knex'
import type { OriginalId } from '../domain/asset.ts'
import type { AssetId, PageId, ProjectId } from '../domain/ids.ts'
import type { OriginalRepository } from './repositories/originals.ts'

interface OriginalRow {
  readonly id: OriginalId
  readonly project_id: ProjectId
  readonly digest: string
  readonly stored_digest: string | null
  readonly bytes: number
  readonly state: 'storing' | 'stored' | 'removing'
  readonly due_at: string | null
  readonly is_lost: boolean | 0 | 1
}

/** Failure of the assets of a lost original. */
const LOST =
  'The file is lost in the media store. Upload the same file again, or let the operator restore it from a backup.'

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createOriginalRepository(db: Knex): OriginalRepository {
  const originals = () => db<OriginalRow>('originals')
  const storedWith = (projectId: ProjectId, digest: string) =>
    originals()
      .where({ project_id: projectId, digest, state: 'stored', is_lost: false })
      .whereNotNull('stored_digest')
  /** Originals that no asset has, and neither a release nor a live site shows. */
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

    async findLost(projectId, digest, storedDigest) {
      const lost = { project_id: projectId, digest, stored_digest: storedDigest, is_lost: true }
      const row = await originals()
        .where({ ...lost, state: 'stored' })
        .first('id')
      return row?.id ?? null
    },

    async isLost(id) {
      return (await originals().where({ id, is_lost: true }).first('id')) !== undefined
    },

    async findByBytes(projectId, digest) {
      const row = await originals().where({ project_id: projectId, stored_digest: digest }).first('id')
      if (row !== undefined) return row.id
      const variant = await db('media_variants').where({ project_id: projectId, digest }).first('original_id')
      return variant?.original_id ?? null
    },

    async ofProject(projectId) {
      const rows = await originals().where({ project_id: projectId })
      return rows.map(({ id, digest, stored_digest, bytes, state, is_lost }) => ({
        id,
        projectId,
        digest,
        storedDigest: stored_digest ?? digest,
        bytes,
        state,
        isLost: Boolean(is_lost),
      }))
    },

    setLost,

    async shownBy(id, limit) {
      const assets = await db('assets')
        .where({ original_id: id })
        .orderBy('name')
        .limit(limit)
        .select<{ id: AssetId; name: string }[]>('id', 'name')
      const pages = () =>
        db('media_pins')
          .join('live_pages', 'live_pages.release_id', 'media_pins.holder')
          .where('media_pins.original_id', id)
      const shown = await pages()
        .orderBy(['subroute', 'slug'])
        .limit(limit)
        .select<{ id: PageId; subroute: string; slug: string }[]>({ id: 'page_id' }, 'subroute', 'slug')
      const count = await pages().count({ total: '*' }).first()
      const inSite = await db('media_pins')
        .where({ original_id: id })
        .where('holder', db.ref('project_id'))
        .first('holder')
      return {
        assets,
        pages: shown,
        totalPages: Number(count?.['total']),
        inSite: inSite !== undefined,
      }
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
      if ((await originals().where({ id, is_lost: true }).first('id')) !== undefined) await setLost(id, false)
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

  async function setLost(id: OriginalId, isLost: boolean): Promise<void> {
    await originals().where({ id }).update({ is_lost: isLost })
    const known = await db('originals').where({ id }).first('variants', 'failure')
    await db('assets')
      .where({ original_id: id })
      .update(
        isLost
          ? { status: 'failed', failure: LOST }
          : { status: known?.variants ?? 'ready', failure: known?.failure ?? null },
      )
  }
}

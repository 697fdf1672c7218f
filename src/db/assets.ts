import type { Knex } from 'knex'
import type { Asset, AssetStatus, OriginalId } from '../domain/asset.ts'
import { fieldFailure } from '../domain/field-errors.ts'
import type { AssetId, PageId, ProjectId } from '../domain/ids.ts'
import { type MediaSource, mediaPath } from '../domain/media.ts'
import type { AssetKind } from '../domain/media-type.ts'
import { pinnedMedia } from '../domain/pinned-media.ts'
import { rowsOf } from './dialect.ts'
import { isUniqueViolation } from './errors.ts'
import { listed, sliced, totalOf } from './list-slice.ts'
import { readSettings } from './release-rows.ts'
import type { AssetFilter, AssetRepository } from './repositories/assets.ts'
import { createVariantRepository } from './variants.ts'

interface AssetRow {
  readonly id: AssetId
  readonly project_id: ProjectId
  readonly name: string
  readonly original_id: OriginalId
  readonly digest: string
  readonly bytes: number
  readonly kind: AssetKind
  readonly content_type: string
  /** JSON: the facts of an image, or the size of a video. */
  readonly image: string | null
  readonly alt: string
  readonly title: string
  readonly focus_x: number | null
  readonly focus_y: number | null
  readonly status: AssetStatus
  readonly failure: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}

/** The stored bytes of an asset in the media store. */
interface StoredRow {
  readonly stored_digest: string
  readonly stored_bytes: number
}

/** Digests or names per statement. */
const PER_STATEMENT = 500

/** Pages, live or not, that name an asset. */
const NAMING = `SELECT page_id FROM page_media WHERE project_id = ? AND name = ?
  UNION SELECT page_id FROM live_media WHERE project_id = ? AND name = ?`

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createAssetRepository(db: Knex): AssetRepository {
  const assets = () => db<AssetRow>('assets')

  return {
    async insert(asset) {
      await refuseTakenName(asset, assets().insert(toRow(asset)))
    },

    async find(id) {
      const row = await assets().where({ id }).first()
      return row === undefined ? null : toAsset(row)
    },

    async findByName(projectId, name) {
      const row = await assets().where({ project_id: projectId, name }).first()
      return row === undefined ? null : toAsset(row)
    },

    async findWithin(projectId, ids) {
      const rows = await assets()
        .where({ project_id: projectId })
        .whereIn('id', [...ids])
      return rows.map(toAsset)
    },

    async list(filter, paging) {
      const { sort, order } = paging
      const rows: readonly AssetRow[] = await sliced(matching(assets(), filter), [sort, 'id'], order, paging)
      const positions = rows.map((row) => ({ key: row[sort], id: row.id }))
      return listed(rows.map(toAsset), positions, paging, await totalOf(matching(assets(), filter), paging))
    },

    async update(asset) {
      await refuseTakenName(asset, assets().where({ id: asset.id }).update(toRow(asset)))
    },

    async delete(id) {
      await assets().where({ id }).delete()
    },

    async storedDigests(projectId, digests) {
      const found = new Set<string>()
      for (let start = 0; start < digests.length; start += PER_STATEMENT)
        for (const digest of await assets()
          .join('originals', 'originals.id', 'assets.original_id')
          .where({ 'assets.project_id': projectId, is_lost: false })
          .whereIn('assets.digest', digests.slice(start, start + PER_STATEMENT))
          .pluck('assets.digest'))
          found.add(digest)
      return found
    },

    async pagesNaming(projectId, names) {
      const naming = (table: string) =>
        db(table).where({ project_id: projectId }).whereIn('name', names).select('name', 'page_id')
      const rows = await db
        .from(naming('page_media').union(naming('live_media')).as('naming'))
        .groupBy('name')
        .select<{ name: string; pages: number }[]>('name', db.raw('count(*) AS pages'))
      return new Map(rows.map(({ name, pages }) => [name, pages]))
    },

    async usage(projectId, name, limit) {
      const rows = rowsOf<{
        id: PageId
        title: string
        subroute: string
        slug: string
        draft: number
        live: number
      }>(
        await db.raw(
          `SELECT pages.id, pages.title, pages.subroute, pages.slug,
            EXISTS (SELECT 1 FROM page_media WHERE project_id = pages.project_id AND name = ? AND page_id = pages.id) AS draft,
            EXISTS (SELECT 1 FROM live_media WHERE project_id = pages.project_id AND name = ? AND page_id = pages.id) AS live
            FROM (${NAMING}) AS naming JOIN pages ON pages.id = naming.page_id
            ORDER BY live DESC, pages.subroute, pages.slug LIMIT ?`,
          [name, name, projectId, name, projectId, name, limit],
        ),
      )
      return rows.map((row) => ({ ...row, draft: Boolean(row.draft), live: Boolean(row.live) }))
    },

    async published(projectId, names) {
      const media: Record<string, MediaSource[string]> = {}
      for (let start = 0; start < names.length; start += PER_STATEMENT) {
        const rows = await assets()
          .join('originals', 'originals.id', 'assets.original_id')
          .where('assets.project_id', projectId)
          .whereIn('name', names.slice(start, start + PER_STATEMENT))
          .whereNotNull('stored_digest')
          .orderBy('name')
          .select<(AssetRow & StoredRow)[]>(
            'assets.*',
            'originals.stored_digest',
            db.raw('originals.bytes AS stored_bytes'),
          )
        const variants = await createVariantRepository(db).of(rows.map((row) => row.original_id))
        for (const row of rows)
          media[mediaPath(row.name)] = pinnedMedia(
            toAsset(row),
            { digest: row.stored_digest, bytes: row.stored_bytes },
            variants.get(row.original_id) ?? [],
          )
      }
      return media
    },

    async namesWithin(projectId, ids) {
      const names = new Map<AssetId, string>()
      for (let start = 0; start < ids.length; start += PER_STATEMENT)
        for (const { id, name } of await db('assets')
          .where({ project_id: projectId })
          .whereIn('id', ids.slice(start, start + PER_STATEMENT))
          .select<{ id: AssetId; name: string }[]>('id', 'name'))
          names.set(id, name)
      return names
    },

    async liveNames(pages) {
      const named = new Map<PageId, string[]>()
      for (let start = 0; start < pages.length; start += PER_STATEMENT)
        for (const { page_id, name } of await db('live_media')
          .whereIn('page_id', pages.slice(start, start + PER_STATEMENT))
          .select<{ page_id: PageId; name: string }[]>('page_id', 'name')) {
          const names = named.get(page_id)
          if (names === undefined) named.set(page_id, [name])
          else names.push(name)
        }
      return named
    },

    async isShownLive(projectId, name) {
      return (await db('live_media').where({ project_id: projectId, name }).first('page_id')) !== undefined
    },

    async liveSettings(projectId) {
      const site = await db('live_sites').where({ project_id: projectId }).first('settings_digest')
      const ofPages = db('live_pages')
        .join('releases', 'releases.id', 'live_pages.release_id')
        .where('live_pages.project_id', projectId)
        .select('releases.settings_digest')
      const rows = await db('settings_snapshots')
        .where({ project_id: projectId })
        .where((live) => live.whereIn('digest', ofPages).orWhere('digest', site?.settings_digest ?? ''))
        .select<{ digest: string; settings: string }[]>('digest', 'settings')
      return rows.map(({ digest, settings }) => ({
        digest,
        settings: readSettings(settings),
        isSite: digest === site?.settings_digest,
      }))
    },

    async pagesWithSettings(projectId, digests, limit) {
      const plain = db('live_objects')
        .where({ project_id: projectId, owner_kind: 'page', key_id: null })
        .where('owner_id', db.ref('live_pages.page_id'))
        .whereNotNull('artifact_digest')
      const rows = await db('live_pages')
        .join('releases', 'releases.id', 'live_pages.release_id')
        .join('pages', 'pages.id', 'live_pages.page_id')
        .where('live_pages.project_id', projectId)
        .whereIn('releases.settings_digest', [...digests])
        .whereExists(plain.select(db.raw('1')))
        .orderBy(['pages.subroute', 'pages.slug'])
        .limit(limit)
        .select<{ id: PageId; title: string; subroute: string; slug: string }[]>(
          'pages.id',
          'pages.title',
          'pages.subroute',
          'pages.slug',
        )
      return rows.map((row) => ({ ...row, draft: false, live: true }))
    },
  }
}

function matching(query: Knex.QueryBuilder, filter: AssetFilter): Knex.QueryBuilder {
  query.where('project_id', filter.projectId)
  if (filter.kind !== null) query.where('kind', filter.kind)
  if (filter.name !== null) query.whereRaw("lower(name) LIKE lower(?) ESCAPE '\\'", [likeOf(filter.name)])
  if (filter.unusedBut !== null) {
    for (const table of ['page_media', 'live_media'])
      query.whereRaw(
        `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.project_id = assets.project_id AND ${table}.name = assets.name)`,
      )
    query.whereNotIn('name', [...filter.unusedBut])
  }
  if (filter.updatedAfter != null) query.where('updated_at', '>', filter.updatedAfter)
  return query
}

/** A pattern in which `*` matches any characters. Without one, names that contain the text match. */
function likeOf(pattern: string): string {
  const like = pattern.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%')
  return pattern.includes('*') ? like : `%${like}%`
}

/** The unique index decides, so that of two concurrent requests only one succeeds. */
async function refuseTakenName({ name }: Asset, write: PromiseLike<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const message = `another asset of the project has the name ${JSON.stringify(name)}.`
    throw fieldFailure('conflict', [{ path: 'name', message, code: 'taken' }], { cause: error })
  }
}

function toRow(asset: Asset): AssetRow {
  return {
    id: asset.id,
    project_id: asset.projectId,
    name: asset.name,
    original_id: asset.originalId,
    digest: asset.digest,
    bytes: asset.bytes,
    kind: asset.kind,
    content_type: asset.contentType,
    image: asset.image === null && asset.video === null ? null : JSON.stringify(asset.image ?? asset.video),
    alt: asset.alt,
    title: asset.title,
    focus_x: asset.focus?.x ?? null,
    focus_y: asset.focus?.y ?? null,
    status: asset.status,
    failure: asset.failure,
    created_at: asset.createdAt,
    updated_at: asset.updatedAt,
    version: asset.version,
  }
}

function toAsset(row: AssetRow): Asset {
  const frame = row.image === null ? null : JSON.parse(row.image)
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    originalId: row.original_id,
    digest: row.digest,
    bytes: row.bytes,
    kind: row.kind,
    contentType: row.content_type,
    image: row.kind === 'image' ? frame : null,
    video: row.kind === 'video' ? frame : null,
    alt: row.alt,
    title: row.title,
    focus: row.focus_x === null || row.focus_y === null ? null : { x: row.focus_x, y: row.focus_y },
    status: row.status,
    failure: row.failure,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

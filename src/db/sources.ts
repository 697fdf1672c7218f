import type { Knex } from 'knex'
import type { AssetId, PageId, ProjectId } from '../domain/ids.ts'
import type { Source, SourceRecord } from '../domain/source.ts'
import { listed, sliced, totalOf } from './list-slice.ts'
import type { SourceRepository } from './repositories/sources.ts'

interface SourceRow {
  readonly record_id: PageId | AssetId | ProjectId
  readonly project_id: ProjectId
  readonly record: SourceRecord
  readonly folder: string
  readonly path: string
  readonly digest: string
  readonly fields: string
  readonly created: boolean | number
  readonly revision: string | null
  readonly pushed_at: string
  readonly stored_version: number
  readonly stored_digest: string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createSourceRepository(db: Knex): SourceRepository {
  const rows = () => db<SourceRow>('sources')

  return {
    async find(recordId) {
      const row = await rows().where({ record_id: recordId }).first()
      return row === undefined ? null : toSource(row)
    },

    async findMany(recordIds) {
      const found = await rows().whereIn('record_id', [...recordIds])
      return new Map(found.map((row) => [row.record_id, toSource(row)]))
    },

    async put(source) {
      await db('sources').insert(toRow(source)).onConflict('record_id').merge()
    },

    async list(projectId, folder, slice) {
      const ofFolder = () => rows().where({ project_id: projectId, folder })
      const found: readonly SourceRow[] = await sliced(ofFolder(), ['path', 'record_id'], 'asc', slice)
      const positions = found.map(({ path: key, record_id: id }) => ({ key, id }))
      return listed(found.map(toSource), positions, slice, await totalOf(ofFolder(), slice))
    },
  }
}

function toSource(row: SourceRow): Source {
  return {
    projectId: row.project_id,
    record: row.record,
    recordId: row.record_id,
    folder: row.folder,
    path: row.path,
    digest: row.digest,
    fields: JSON.parse(row.fields),
    created: Boolean(row.created),
    revision: row.revision,
    pushedAt: row.pushed_at,
    storedVersion: row.stored_version,
    storedDigest: row.stored_digest,
  }
}

function toRow(source: Source) {
  return {
    record_id: source.recordId,
    project_id: source.projectId,
    record: source.record,
    page_id: source.record === 'page' ? source.recordId : null,
    asset_id: source.record === 'asset' ? source.recordId : null,
    folder: source.folder,
    path: source.path,
    digest: source.digest,
    fields: JSON.stringify(source.fields),
    created: source.created,
    revision: source.revision,
    pushed_at: source.pushedAt,
    stored_version: source.storedVersion,
    stored_digest: source.storedDigest,
  }
}

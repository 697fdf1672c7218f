import type { Knex } from 'knex'
import type { OwnerKind } from '../../domain/artifact.ts'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { Commit, LiveObject, Upload } from '../../publish/ledger.ts'
import { keepSettings } from '../releases.ts'

/* Rows of what lies on the CDN, written within the transaction of the project's leader. */

/** Rows written by one statement; SQLite takes at most 32,766 values. */
const ROWS_A_STATEMENT = 200

export interface ObjectRow {
  readonly project_id: ProjectId
  readonly claimed_by: ReleaseId | null
  readonly key: string
  readonly owner_kind: OwnerKind
  readonly owner_id: string
  readonly artifact_digest: string | null
  readonly header_digest: string | null
}

export function toObject(row: ObjectRow): LiveObject {
  return {
    key: row.key,
    owner: { kind: row.owner_kind, id: row.owner_id },
    digest: row.artifact_digest,
    headerDigest: row.header_digest,
  }
}

export async function writeObjects(
  trx: Knex,
  projectId: ProjectId,
  uploads: readonly Upload[],
): Promise<void> {
  const rows = uploads.map(({ artifact, digest, headerDigest, releaseId }) => ({
    project_id: projectId,
    key: artifact.key,
    owner_kind: artifact.owner.kind,
    owner_id: artifact.owner.id,
    claimed_by: null,
    artifact_digest: digest,
    header_digest: headerDigest,
    key_id: null,
    size: artifact.body.byteLength,
    release_id: releaseId,
  }))
  await insertInChunks(rows, (chunk) =>
    trx('live_objects').insert(chunk).onConflict(['project_id', 'key']).merge(),
  )
}

export async function deleteObjects(trx: Knex, projectId: ProjectId, keys: readonly string[]): Promise<void> {
  await insertInChunks(keys, (chunk) =>
    trx('live_objects').where({ project_id: projectId }).whereIn('key', chunk).delete(),
  )
}

export async function writeLivePages(
  trx: Knex,
  projectId: ProjectId,
  { pages, confirmed, gone }: Commit,
): Promise<void> {
  const rows = pages.map(({ pageId, releaseId, facts, line, digests, redirects }) => ({
    page_id: pageId,
    project_id: projectId,
    release_id: releaseId,
    subroute: facts.subroute,
    slug: facts.slug,
    type: facts.type,
    facts: JSON.stringify(facts),
    index_line: line,
    digests: JSON.stringify(digests),
    redirects: JSON.stringify(redirects),
  }))
  await insertInChunks(rows, (chunk) => trx('live_pages').insert(chunk).onConflict('page_id').merge())
  await writeMade(trx, projectId, pages)
  for (const { pageId, digests } of confirmed) {
    await trx('live_pages')
      .where({ page_id: pageId })
      .update({ digests: JSON.stringify(digests) })
  }
  await trx('live_pages')
    .whereIn('page_id', [...gone])
    .delete()
}

/** What a rollback needs to put it back as it was. */
async function writeMade(trx: Knex, projectId: ProjectId, pages: Commit['pages']): Promise<void> {
  const rows = pages.flatMap(({ releaseId, objects }) =>
    objects.map(({ key, stage, digest }) => ({
      project_id: projectId,
      release_id: releaseId,
      key,
      stage,
      digest,
    })),
  )
  await insertInChunks(rows, (chunk) => trx('release_objects').insert(chunk))
  for (const { releaseId, digests } of pages) {
    await trx('releases')
      .where({ id: releaseId })
      .update({ digests: JSON.stringify(digests) })
  }
}

export async function writeLiveSite(trx: Knex, projectId: ProjectId, live: Commit['site']): Promise<void> {
  if (live === null) return
  const digest = await keepSettings(trx, projectId, live.settings)
  await trx('live_sites')
    .insert({
      project_id: projectId,
      revision: live.revision,
      site: JSON.stringify(live.site),
      settings_digest: digest,
    })
    .onConflict('project_id')
    .merge()
}

export async function insertInChunks<Row>(
  rows: readonly Row[],
  write: (chunk: Row[]) => PromiseLike<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    await write(rows.slice(start, start + ROWS_A_STATEMENT))
  }
}

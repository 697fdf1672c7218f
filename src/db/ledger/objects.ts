import type { Knex } from 'knex'
import type { OwnerKind } from '../../domain/artifact.ts'
import { inUtc } from '../../domain/date.ts'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import { type AnyRelease, isPageRelease } from '../../domain/release.ts'
import type { IndexLine, LiveObject } from '../../publish/ledger/live-state.ts'
import type { Commit, DataModeCommit } from '../../publish/ledger/release-queue.ts'
import type { Uploaded } from '../../publish/ledger/upload.ts'
import { storeSettings } from '../release-rows.ts'

/* Writes rows of objects on the CDN and of live pages. Call these functions inside a transaction under the project's lease. */

/** Rows per statement; SQLite accepts at most 32,766 values. */
const ROWS_A_STATEMENT = 200

export interface ObjectRow {
  readonly project_id: ProjectId
  readonly claimed_by: ReleaseId | null
  readonly key: string
  readonly owner_kind: OwnerKind
  readonly owner_id: string
  readonly artifact_digest: string | null
  readonly header_digest: string | null
  readonly key_id: string | null
  readonly release_id: ReleaseId | null
  readonly published_at: string | null
  readonly unnamed_since: string | null
}

/** Kinds of objects owned by pages. */
export const PAGE_KINDS: readonly OwnerKind[] = ['page', 'redirect']

export function toObject(row: ObjectRow): LiveObject {
  return {
    key: row.key,
    owner: { kind: row.owner_kind, id: row.owner_id },
    digest: row.artifact_digest,
    headerDigest: row.header_digest,
    keyId: row.key_id,
    writtenBy:
      row.release_id === null || row.published_at === null
        ? null
        : { releaseId: row.release_id, publishedAt: row.published_at },
  }
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export async function objectsTouchedBy(
  db: Knex,
  releases: readonly AnyRelease[],
): Promise<readonly LiveObject[]> {
  const pages = releases.filter(isPageRelease).map(({ pageId }) => pageId)
  const rekeyed = releases.filter(({ op }) => op === 'rekey').map(({ projectId }) => projectId)
  const rows = await db<ObjectRow>('live_objects')
    .whereIn(
      'claimed_by',
      releases.map(({ id }) => id),
    )
    .orWhere((page) => page.whereIn('owner_kind', PAGE_KINDS).whereIn('owner_id', pages))
    .orWhere((all) => all.whereIn('owner_kind', PAGE_KINDS).whereIn('project_id', rekeyed))
  return rows.map(toObject)
}

export async function writeObjects(
  trx: Knex,
  projectId: ProjectId,
  uploads: readonly Uploaded[],
): Promise<void> {
  const rows = uploads.map(({ artifact, digest, headerDigest, keyId, size, writtenBy }) => ({
    project_id: projectId,
    key: artifact.key,
    owner_kind: artifact.owner.kind,
    owner_id: artifact.owner.id,
    claimed_by: null,
    artifact_digest: digest,
    header_digest: headerDigest,
    key_id: keyId,
    size,
    release_id: writtenBy.releaseId,
    published_at: writtenBy.publishedAt,
    unnamed_since: null,
  }))
  await inChunks(rows, (chunk) => trx('live_objects').insert(chunk).onConflict(['project_id', 'key']).merge())
}

/** @param keys objects sealed again with another content key and otherwise unchanged. */
export async function writeKeyIds(
  trx: Knex,
  projectId: ProjectId,
  keys: readonly string[],
  keyId: string | null,
): Promise<void> {
  await inChunks(keys, (chunk) =>
    trx('live_objects').where({ project_id: projectId }).whereIn('key', chunk).update({ key_id: keyId }),
  )
}

/** @param since time of the loss of the last reference; null for assets with a reference. */
export async function markOrphaned(
  trx: Knex,
  projectId: ProjectId,
  keys: readonly string[],
  since: string | null,
): Promise<void> {
  await inChunks(keys, (chunk) =>
    trx('live_objects')
      .where({ project_id: projectId })
      .whereIn('key', chunk)
      // Nearly all rows have this value already; skipping them saves disk writes.
      .whereRaw('unnamed_since IS DISTINCT FROM ?', [since])
      .update({ unnamed_since: since }),
  )
}

/** Marks objects for deletion: they have neither a claim nor a digest. */
export async function markForDeletion(
  trx: Knex,
  projectId: ProjectId,
  keys: readonly string[],
): Promise<void> {
  await inChunks(keys, (chunk) =>
    trx('live_objects').where({ project_id: projectId }).whereIn('key', chunk).update({
      artifact_digest: null,
      header_digest: null,
      size: null,
      release_id: null,
      published_at: null,
    }),
  )
}

export async function deleteObjects(trx: Knex, projectId: ProjectId, keys: readonly string[]): Promise<void> {
  await inChunks(keys, (chunk) =>
    trx('live_objects').where({ project_id: projectId }).whereIn('key', chunk).delete(),
  )
}

export async function writeLivePages(
  trx: Knex,
  projectId: ProjectId,
  { pages, confirmed, removed }: Pick<Commit, 'pages' | 'confirmed' | 'removed'>,
): Promise<void> {
  const rows = pages.map(({ pageId, releaseId, facts, card, lines, feed, digests, redirects, anchors }) => ({
    page_id: pageId,
    project_id: projectId,
    release_id: releaseId,
    subroute: facts.subroute,
    slug: facts.slug,
    path: facts.path,
    type: facts.type,
    locale: facts.translated?.locale ?? null,
    translation_key: facts.translated?.key ?? null,
    facts: JSON.stringify(facts),
    card: JSON.stringify(card),
    index_line: lines.line,
    sitemap_line: lines.sitemap,
    llms_line: lines.llms,
    feed_entry: feed === null ? null : JSON.stringify(feed),
    feed_date: feed === null ? null : inUtc(feed.published),
    digests: JSON.stringify(digests),
    redirects: JSON.stringify(redirects),
    anchors: JSON.stringify(anchors),
  }))
  await inChunks(rows, (chunk) => trx('live_pages').insert(chunk).onConflict('page_id').merge())
  await writeReleaseObjects(trx, projectId, pages)
  for (const { pageId, digests } of confirmed) {
    await trx('live_pages')
      .where({ page_id: pageId })
      .update({ digests: JSON.stringify(digests) })
  }
  await inChunks(removed, (chunk) => trx('live_pages').whereIn('page_id', chunk).delete())
}

/** Records the objects of each page for rollbacks to this release. */
async function writeReleaseObjects(trx: Knex, projectId: ProjectId, pages: Commit['pages']): Promise<void> {
  const rows = pages.flatMap(({ releaseId, objects }) =>
    objects.map(({ key, stage, digest }) => ({
      project_id: projectId,
      release_id: releaseId,
      key,
      stage,
      digest,
    })),
  )
  await inChunks(rows, (chunk) => trx('release_objects').insert(chunk))
  const assets = rows.filter(({ stage }) => stage === 'asset').map(({ key }) => key)
  await markOrphaned(trx, projectId, [...new Set(assets)], null)
}

/** Records other keys of the files of releases. */
export async function renameReleaseObjects(
  trx: Knex,
  projectId: ProjectId,
  renamed: DataModeCommit['renamed'],
): Promise<void> {
  await inChunks(renamed, (chunk) => {
    return trx('release_objects')
      .where({ project_id: projectId })
      .whereIn(
        'key',
        chunk.map(({ from }) => from),
      )
      .update({
        key: trx.raw(
          `CASE key${' WHEN ? THEN ?'.repeat(chunk.length)} END`,
          chunk.flatMap(({ from, to }) => [from, to]),
        ),
      })
  })
}

/** Replaces the rows of newly sealed live pages. */
export async function writeResealedPages(
  trx: Knex,
  projectId: ProjectId,
  pages: Commit['pages'],
): Promise<void> {
  await inChunks(
    pages.map(({ releaseId }) => releaseId),
    (chunk) => trx('release_objects').whereIn('release_id', chunk).delete(),
  )
  await writeLivePages(trx, projectId, { pages, confirmed: [], removed: [] })
  for (const { releaseId, digests } of pages) {
    await trx('releases')
      .where({ id: releaseId })
      .update({ digests: JSON.stringify(digests) })
  }
}

export async function writeLines(
  trx: Knex,
  lines: readonly Pick<IndexLine, 'pageId' | 'line'>[],
): Promise<void> {
  for (const { pageId, line } of lines)
    await trx('live_pages').where({ page_id: pageId }).update({ index_line: line })
}

export async function writeLiveSite(trx: Knex, projectId: ProjectId, live: Commit['site']): Promise<void> {
  // Those of a release that an earlier version accepted are stored without the settings of this one.
  const digest = await storeSettings(trx, projectId, live.settings)
  await trx('live_sites')
    .insert({
      project_id: projectId,
      revision: live.revision,
      site: JSON.stringify(live.site),
      settings_digest: digest,
      media: JSON.stringify(live.media ?? {}),
      feed_times: JSON.stringify(live.feedTimes ?? {}),
    })
    .onConflict('project_id')
    .merge()
}

/** Rows found for any number of values, in as many statements as needed. */
export async function selectInChunks<Value, Row>(
  values: readonly Value[],
  select: (chunk: Value[]) => PromiseLike<readonly Row[]>,
): Promise<readonly Row[]> {
  const found: Row[] = []
  await inChunks(values, async (chunk) => {
    found.push(...(await select(chunk)))
  })
  return found
}

export async function inChunks<Row>(
  rows: readonly Row[],
  write: (chunk: Row[]) => PromiseLike<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    await write(rows.slice(start, start + ROWS_A_STATEMENT))
  }
}

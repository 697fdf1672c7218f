import type { Knex } from 'knex'
import type { AssetStatus } from '../domain/asset.ts'
import type { PageId, ProjectId, ReleaseId } from '../domain/ids.ts'
import { settingsMediaNames } from '../domain/media-names.ts'
import { selectInChunks } from './ledger/objects.ts'
import { readSettings } from './release-rows.ts'
import type { LatePage, RefreshRepository } from './repositories/refreshes.ts'

/** An asset with smaller images that came lately: when the first and the last of them did. */
interface ChangedRow {
  readonly name: string
  readonly first: string
  readonly last: string
}

interface LiveRow {
  readonly page_id: PageId
  readonly release_id: ReleaseId
  /** When the release was accepted: it shows what was there then. */
  readonly created_at: string
  readonly settings_digest: string
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createRefreshRepository(db: Knex): RefreshRepository {
  return {
    async latePages(projectId, from, lately) {
      const changed = await changedSince(projectId, from)
      if (changed.length === 0) return []
      const inSettings = await namesInSettings(projectId)
      const late = await livePagesNaming(projectId, changed, inSettings)
      const ids = late.map(({ pageId }) => pageId)
      const unfinished = await unfinishedAmong(projectId, ids)
      const unfinishedSettings = await digestsWithUnfinished(projectId, inSettings)
      const refreshed = await refreshedAmong(ids, lately)
      return late.map(({ settingsDigest, ...page }) => ({
        ...page,
        isComplete: !unfinished.has(page.pageId) && !unfinishedSettings.has(settingsDigest),
        refreshedAt: refreshed.get(page.pageId) ?? null,
      }))
    },
  }

  async function changedSince(projectId: ProjectId, from: string): Promise<readonly ChangedRow[]> {
    return db('media_variants')
      .join('assets', 'assets.original_id', 'media_variants.original_id')
      .where('media_variants.project_id', projectId)
      .where('media_variants.since', '>=', from)
      .groupBy('assets.name')
      .select<ChangedRow[]>(
        'assets.name',
        db.raw('min(media_variants.since) AS first'),
        db.raw('max(media_variants.since) AS last'),
      )
  }

  /** The names of assets in the settings that live pages were published with, by the digest of these. */
  async function namesInSettings(projectId: ProjectId): Promise<ReadonlyMap<string, readonly string[]>> {
    const live = db('live_pages')
      .join('releases', 'releases.id', 'live_pages.release_id')
      .where('live_pages.project_id', projectId)
      .select('releases.settings_digest')
    const rows = await db('settings_snapshots')
      .where({ project_id: projectId })
      .whereIn('digest', live)
      .select<{ digest: string; settings: string }[]>('digest', 'settings')
    return new Map(rows.map(({ digest, settings }) => [digest, settingsMediaNames(readSettings(settings))]))
  }

  /** Finds live pages that name a changed asset, with a release older than the last change of one. */
  async function livePagesNaming(
    projectId: ProjectId,
    changed: readonly ChangedRow[],
    inSettings: ReadonlyMap<string, readonly string[]>,
  ): Promise<readonly (Pick<LatePage, 'pageId' | 'releaseId' | 'since'> & { settingsDigest: string })[]> {
    const byName = new Map(changed.map((row) => [row.name, row]))
    const live = () =>
      db('live_pages')
        .join('releases', 'releases.id', 'live_pages.release_id')
        .where('live_pages.project_id', projectId)
    const columns = ['live_pages.page_id', 'live_pages.release_id', 'releases.created_at', 'settings_digest']
    const naming = await selectInChunks([...byName.keys()], (names) =>
      live()
        .join('live_media', 'live_media.page_id', 'live_pages.page_id')
        .whereIn('live_media.name', names)
        .select<(LiveRow & { name: string })[]>(...columns, 'live_media.name'),
    )
    const digests = [...inSettings].filter(([, names]) => names.some((name) => byName.has(name)))
    const withSettings = await selectInChunks(
      digests.map(([digest]) => digest),
      (some) =>
        live()
          .whereIn('releases.settings_digest', some)
          .select<LiveRow[]>(...columns),
    )
    const found = new Map<
      PageId,
      Pick<LatePage, 'pageId' | 'releaseId' | 'since'> & { settingsDigest: string }
    >()
    const add = (row: LiveRow, name: string) => {
      const came = byName.get(name)
      // Images of the same millisecond may have been too late.
      if (came === undefined || came.last < row.created_at) return
      const first = came.first < row.created_at ? row.created_at : came.first
      const known = found.get(row.page_id)
      const since = known !== undefined && known.since < first ? known.since : first
      const { page_id: pageId, release_id: releaseId, settings_digest: settingsDigest } = row
      found.set(pageId, { pageId, releaseId, settingsDigest, since })
    }
    for (const row of naming) add(row, row.name)
    for (const row of withSettings)
      for (const name of inSettings.get(row.settings_digest) ?? []) add(row, name)
    return [...found.values()]
  }

  /** Returns the pages with an image of which smaller ones are still being derived. */
  async function unfinishedAmong(
    projectId: ProjectId,
    pages: readonly PageId[],
  ): Promise<ReadonlySet<PageId>> {
    const ids = await selectInChunks(pages, (some) =>
      db('live_media')
        .join('assets', (join) =>
          join.on('assets.project_id', 'live_media.project_id').on('assets.name', 'live_media.name'),
        )
        .where('live_media.project_id', projectId)
        .where('assets.status', 'processing' satisfies AssetStatus)
        .whereIn('live_media.page_id', some)
        .pluck<PageId[]>('live_media.page_id'),
    )
    return new Set(ids)
  }

  async function digestsWithUnfinished(
    projectId: ProjectId,
    inSettings: ReadonlyMap<string, readonly string[]>,
  ): Promise<ReadonlySet<string>> {
    const names = [...new Set([...inSettings.values()].flat())]
    const unfinished = new Set(
      await selectInChunks(names, (some) =>
        db('assets')
          .where({ project_id: projectId, status: 'processing' satisfies AssetStatus })
          .whereIn('name', some)
          .pluck<string[]>('name'),
      ),
    )
    return new Set(
      [...inSettings].filter(([, own]) => own.some((name) => unfinished.has(name))).map(([digest]) => digest),
    )
  }

  async function refreshedAmong(
    pages: readonly PageId[],
    lately: string,
  ): Promise<ReadonlyMap<PageId, string>> {
    const rows = await selectInChunks(pages, (some) =>
      db('releases')
        .whereIn('page_id', some)
        .where({ in_history: true, op: 'refresh' })
        .where('created_at', '>', lately)
        .groupBy('page_id')
        .select<{ page_id: PageId; last: string }[]>('page_id', db.raw('max(created_at) AS last')),
    )
    return new Map(rows.map(({ page_id, last }) => [page_id, last]))
  }
}

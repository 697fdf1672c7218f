import type { Knex } from 'knex'
import type { OwnerKind } from '../../domain/artifact.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import type { PageType } from '../../domain/page.ts'
import { type AnyRelease, isPageRelease, UNFINISHED } from '../../domain/release.ts'
import type { IndexLine, Ledger, LiveObject } from '../../publish/ledger.ts'
import { toKeptKey } from '../releases.ts'
import type { SqliteConnections } from '../sqlite.ts'
import { type ObjectRow, toObject } from './objects.ts'

/** Kinds of objects whose owner is a page. */
const OF_PAGES: readonly OwnerKind[] = ['page', 'redirect']

/** The first and the last key that an asset may have. */
const ASSETS: readonly [string, string] = ['_assets/', '_assets/\u{10ffff}']

/** What is live, as indexes and plans need it. */
export function createLiveRows({
  reader,
}: Pick<SqliteConnections, 'reader'>): Pick<
  Ledger,
  | 'liveFacts'
  | 'liveCards'
  | 'indexLines'
  | 'feedEntries'
  | 'objectsOfPages'
  | 'objectsOfKinds'
  | 'touchedBy'
  | 'revision'
  | 'liveSite'
  | 'kept'
  | 'keptOpen'
  | 'projectsToSeal'
  | 'contentKeys'
  | 'records'
  | 'sizesOf'
  | 'linkTargets'
  | 'made'
  | 'unnamedAssets'
> {
  return {
    liveFacts: (projectId, type) => ofLivePages(projectId, type, 'facts'),

    liveCards: (projectId, type) => ofLivePages(projectId, type, 'card'),

    async indexLines(projectId) {
      const lines = reader('live_pages')
        .where({ project_id: projectId })
        .orderBy(['subroute', 'slug'])
        .select(
          reader.raw(
            "page_id || char(9) || subroute || char(9) || slug || char(9) || coalesce(sitemap_line, '') || char(9) || coalesce(llms_line, '') || char(9) || index_line AS line",
          ),
        )
      const [row]: Packed[] = await reader
        .from(lines.as('sorted'))
        .select(reader.raw('group_concat(line, char(10)) AS packed'))
      return row === undefined || row.packed === null ? [] : row.packed.split('\n').map(unpackLine)
    },

    async feedEntries(projectId, limit) {
      const rows = await reader('live_pages')
        .where({ project_id: projectId })
        .whereNotNull('feed_date')
        .orderBy([{ column: 'feed_date', order: 'desc' }, 'page_id'])
        .limit(limit)
        .select('page_id', 'feed_entry')
      return rows.map((row) => ({ pageId: row.page_id, entry: JSON.parse(row.feed_entry) }))
    },

    async objectsOfPages(projectId, pages) {
      const rows = await reader<ObjectRow>('live_objects')
        .where({ project_id: projectId })
        .whereIn('owner_kind', OF_PAGES)
        .whereIn('owner_id', [...pages])
      return rows.map(toObject)
    },

    async objectsOfKinds(projectId, kinds) {
      const rows = await reader<ObjectRow>('live_objects')
        .where({ project_id: projectId })
        .whereIn('owner_kind', [...kinds])
      return rows.map(toObject)
    },

    touchedBy: (releases) => objectsTouchedBy(reader, releases),

    async revision(projectId) {
      const row = await reader('live_sites').where({ project_id: projectId }).first('revision')
      return row?.revision ?? 0
    },

    async liveSite(projectId) {
      const row = await reader('live_sites')
        .leftJoin('settings_snapshots', (join) =>
          join
            .on('settings_snapshots.project_id', 'live_sites.project_id')
            .on('settings_snapshots.digest', 'live_sites.settings_digest'),
        )
        .where('live_sites.project_id', projectId)
        .first('live_sites.revision', 'live_sites.site', 'settings_snapshots.settings')
      if (row === undefined) return null
      if (row.settings === null) throw new Error(`What project ${projectId} is live with was not kept.`)
      return { revision: row.revision, site: JSON.parse(row.site), settings: JSON.parse(row.settings) }
    },

    async kept(projectId, digest) {
      const row = await reader('artifacts').where({ project_id: projectId, digest }).first()
      return row === undefined ? null : { digest, bytes: row.bytes, sealed: Boolean(row.sealed) }
    },

    async projectsToSeal() {
      const open = reader('artifacts')
        .where({ sealed: false })
        .where('artifacts.project_id', reader.ref('projects.id'))
      return reader('projects')
        .where({ hosting_mode: 'data_mode' })
        .whereExists(open.select(reader.raw('1')))
        .pluck('id')
    },

    async keptOpen(projectId, limit) {
      const rows = await reader('artifacts').where({ project_id: projectId, sealed: false }).limit(limit)
      return rows.map(({ digest, bytes }) => ({ digest, bytes, sealed: false }))
    },

    async contentKeys(projectId) {
      const rows = await reader('content_keys')
        .where({ project_id: projectId })
        .whereNotNull('wrapped')
        .orderBy('key_version', 'desc')
      return rows.map(toKeptKey)
    },

    async made(id) {
      const release = await reader('releases').where({ id }).whereNotNull('digests').first('digests')
      if (release === undefined) return null
      const rows = await reader('release_objects').where({ release_id: id }).orderBy('key')
      return {
        digests: JSON.parse(release.digests),
        objects: rows.map(({ key, stage, digest }) => ({ key, stage, digest })),
      }
    },

    async linkTargets(projectId, keys) {
      const rows = await reader('live_objects')
        .leftJoin('live_pages', 'live_pages.page_id', 'live_objects.owner_id')
        .where('live_objects.project_id', projectId)
        .whereIn('live_objects.key', [...keys])
        .whereNotNull('live_objects.artifact_digest')
        .select<{ key: string; anchors: string | null }[]>('live_objects.key', 'live_pages.anchors')
      return new Map(rows.map(({ key, anchors }) => [key, anchors === null ? null : JSON.parse(anchors)]))
    },

    async sizesOf(projectId, keys) {
      const rows = await reader('live_objects')
        .where({ project_id: projectId })
        .whereNotNull('size')
        .whereIn('key', [...keys])
        .select<{ key: string; size: number }[]>('key', 'size')
      return new Map(rows.map(({ key, size }) => [key, size]))
    },

    async unnamedAssets(projectId) {
      const named = reader('live_pages')
        .join('release_objects', 'release_objects.release_id', 'live_pages.release_id')
        .where('live_pages.project_id', projectId)
        .where('release_objects.stage', 'asset')
        .distinct('release_objects.key')
      const rows = await reader<ObjectRow>('live_objects')
        .where({ project_id: projectId, claimed_by: null })
        .whereBetween('key', ASSETS)
        .whereNotIn('key', named)
        .orderBy('key')
        .select('key', 'unnamed_since', 'artifact_digest')
      return rows.map(({ key, unnamed_since: since, artifact_digest: digest }) => {
        return { key, since, isLeaving: digest === null }
      })
    },

    async records(projectId) {
      const ended = reader('releases').where({ project_id: projectId }).whereNotIn('state', UNFINISHED)
      const rows = await reader<ObjectRow>('live_objects')
        .where({ project_id: projectId })
        .orderBy('key')
        .select<(ObjectRow & { is_left: number | boolean })[]>(
          '*',
          reader.raw('coalesce(claimed_by IN ?, false) AS is_left', [ended.select('id')]),
        )
      return rows.map((row) => ({
        ...toObject(row),
        leftBy: row.is_left ? row.claimed_by : null,
        isLeaving: row.claimed_by === null && row.artifact_digest === null,
      }))
    },
  }

  async function ofLivePages<Known>(
    projectId: ProjectId,
    type: PageType,
    column: 'facts' | 'card',
  ): Promise<readonly Known[]> {
    const [row]: Packed[] = await reader('live_pages')
      .where({ project_id: projectId, type })
      .select(reader.raw("group_concat(??, ',') AS packed", [column]))
    return JSON.parse(`[${row?.packed ?? ''}]`)
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
    .orWhere((page) => page.whereIn('owner_kind', OF_PAGES).whereIn('owner_id', pages))
    .orWhere((all) => all.whereIn('owner_kind', OF_PAGES).whereIn('project_id', rekeyed))
  return rows.map(toObject)
}

/** Many rows in one string, in which no line holds a tab: far cheaper than a row each. */
interface Packed {
  readonly packed: string | null
}

function unpackLine(packed: string): IndexLine {
  const [pageId = '', subroute = '', slug = '', sitemap = '', llms = '', line = ''] = packed.split('\t')
  return { pageId: pageId as PageId, subroute, slug, line, sitemap: sitemap || null, llms: llms || null }
}

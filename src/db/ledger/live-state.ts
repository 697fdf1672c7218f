import type { Knex } from 'knex'
import { SHARED_PREFIXES } from '../../domain/artifact.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import { WHOLE_SITE } from '../../domain/job.ts'
import { defaultLocale, type Locale } from '../../domain/locale.ts'
import type { PageType } from '../../domain/page.ts'
import { UNFINISHED } from '../../domain/release.ts'
import type { IndexLine, LiveState } from '../../publish/ledger/live-state.ts'
import type { Connections } from '../connections.ts'
import { jsonItems, jsonMembers, jsonText } from '../dialect.ts'
import { readSettings } from '../release-rows.ts'
import { purgeCached } from './changed-objects.ts'
import { freeClaims } from './finish-releases.ts'
import type { LeaseTransaction, LedgerPorts } from './leases.ts'
import {
  deleteObjects,
  markForDeletion,
  markOrphaned,
  type ObjectRow,
  objectsTouchedBy,
  PAGE_KINDS,
  selectInChunks,
  toObject,
  writeObjects,
} from './objects.ts'

/** Bounds of the keys of shared objects. */
const SHARED_KEYS = SHARED_PREFIXES.map((prefix) => [prefix, `${prefix}\u{10ffff}`] as const)

interface PageAtRow {
  readonly page_id: PageId
  readonly path: string
  readonly locale: string | null
  readonly translation_key: string | null
}

export function createLiveState(
  { reader }: Pick<Connections, 'reader'>,
  underLease: LeaseTransaction,
  ports: LedgerPorts,
): LiveState {
  const objects = () => reader<ObjectRow>('live_objects')

  return {
    async revision(projectId) {
      const row = await reader('live_sites').where({ project_id: projectId }).first('revision')
      return row?.revision ?? 0
    },

    async site(projectId) {
      const row = await reader('live_sites')
        .leftJoin('settings_snapshots', (join) =>
          join
            .on('settings_snapshots.project_id', 'live_sites.project_id')
            .on('settings_snapshots.digest', 'live_sites.settings_digest'),
        )
        .where('live_sites.project_id', projectId)
        .first(
          'live_sites.revision',
          'live_sites.site',
          'live_sites.media',
          'live_sites.feed_times',
          'settings_snapshots.settings',
        )
      if (row === undefined) return null
      if (row.settings === null) throw new Error(`The live settings of project ${projectId} are missing.`)
      return {
        revision: row.revision,
        site: JSON.parse(row.site),
        settings: readSettings(row.settings),
        ...(row.media !== '{}' && { media: JSON.parse(row.media) }),
        ...(row.feed_times !== '{}' && { feedTimes: JSON.parse(row.feed_times) }),
      }
    },

    facts: (projectId, type) => columnOfLivePages(projectId, type, 'facts'),

    async translations(projectId, keys) {
      const rows = await selectInChunks(keys, (chunk) =>
        reader('live_pages')
          .where({ project_id: projectId })
          .whereIn('translation_key', chunk)
          .select<{ facts: string }[]>('facts'),
      )
      return rows.map(({ facts }) => JSON.parse(facts))
    },

    async pagesAt(projectId, paths) {
      const rows = await selectInChunks(paths, (chunk) =>
        reader('live_pages')
          .where({ project_id: projectId })
          .whereIn('path', chunk)
          .select<PageAtRow[]>('page_id', 'path', 'locale', 'translation_key'),
      )
      return rows.map(({ page_id: id, path, locale, translation_key: key }) =>
        locale === null || key === null ? { id, path } : { id, path, translated: { locale, key } },
      )
    },

    async translationsOfPages(projectId, pages) {
      const rows = await selectInChunks(pages, (chunk) =>
        reader('live_pages')
          .where({ project_id: projectId })
          .whereIn(
            'translation_key',
            reader('live_pages')
              .whereIn('page_id', chunk)
              .whereNotNull('translation_key')
              .select('translation_key'),
          )
          .select<{ page_id: string; facts: string }[]>('page_id', 'facts'),
      )
      const byId = new Map(rows.map((row) => [row.page_id, row.facts]))
      return [...byId.values()].map((facts) => JSON.parse(facts))
    },

    cards: (projectId, type) => columnOfLivePages(projectId, type, 'card'),

    async indexLines(projectId) {
      const lines = reader('live_pages')
        .where({ project_id: projectId })
        .orderBy(['subroute', 'slug'])
        .select(
          reader.raw(
            "page_id || ? || subroute || ? || slug || ? || coalesce(locale, '') || ? || coalesce(translation_key, '') || ? || coalesce(sitemap_line, '') || ? || coalesce(llms_line, '') || ? || index_line AS line",
            Array.from({ length: 7 }, () => '\t'),
          ),
        )
      const [row]: Packed[] = await reader
        .from(lines.as('sorted'))
        .select(reader.raw('string_agg(line, ?) AS packed', ['\n']))
      return row === undefined || row.packed === null ? [] : row.packed.split('\n').map(unpackLine)
    },

    async feedEntries(projectId, limit, locales) {
      const newest: { page_id: PageId; feed_entry: string }[] = []
      for (const locale of locales.length === 0 ? [null] : locales)
        newest.push(
          ...(await reader('live_pages')
            .where({ project_id: projectId })
            .where((rows) => inFeedOf(rows, locale, locales))
            .whereNotNull('feed_date')
            .orderBy([{ column: 'feed_date', order: 'desc' }, 'page_id'])
            .limit(limit)
            .select('page_id', 'feed_entry')),
        )
      return newest.map((row) => ({ pageId: row.page_id, entry: JSON.parse(row.feed_entry) }))
    },

    async slotsOf(projectId, pages) {
      const rows = await selectInChunks(pages, (chunk) =>
        reader('listing_slots').where({ project_id: projectId }).whereIn('page_id', chunk),
      )
      return rows.map(({ page_id: pageId, folder, slot }) => ({ pageId, folder, slot }))
    },

    async nextSlots(projectId, folders) {
      const next = new Map<string, number>()
      for (const folder of folders) {
        const row = await reader('listing_slots').where({ project_id: projectId, folder }).max('slot as last')
        const last: number | null = row[0]?.['last'] ?? null
        next.set(folder, last === null ? 0 : last + 1)
      }
      return next
    },

    async allObjects(projectId) {
      const ended = reader('releases').where({ project_id: projectId }).whereNotIn('state', UNFINISHED)
      const rows = await objects()
        .where({ project_id: projectId })
        .orderBy('key')
        .select<(ObjectRow & { is_abandoned: number | boolean })[]>(
          '*',
          reader.raw('coalesce(claimed_by IN ?, false) AS is_abandoned', [ended.select('id')]),
        )
      return rows.map((row) => ({
        ...toObject(row),
        claimedByEnded: row.is_abandoned ? row.claimed_by : null,
        isDeleting: row.claimed_by === null && row.artifact_digest === null,
      }))
    },

    async objectsOfPages(projectId, pages) {
      const rows = await selectInChunks(pages, (chunk) =>
        objects()
          .where({ project_id: projectId })
          .whereIn('owner_kind', PAGE_KINDS)
          .whereIn('owner_id', chunk),
      )
      return rows.map(toObject)
    },

    async objectsOfKinds(projectId, kinds) {
      const rows = await objects()
        .where({ project_id: projectId })
        .whereIn('owner_kind', [...kinds])
      return rows.map(toObject)
    },

    async objectsAt(projectId, keys) {
      const rows = await selectInChunks(keys, (chunk) =>
        objects().where({ project_id: projectId }).whereIn('key', chunk),
      )
      return rows.map(toObject)
    },

    async objectsClaimedBy(releases) {
      const rows = await selectInChunks(releases, (chunk) => objects().whereIn('claimed_by', chunk))
      return rows.map(toObject)
    },

    objectsTouchedBy: (releases) => objectsTouchedBy(reader, releases),

    async formersAt(projectId, paths) {
      const rows = await selectInChunks(paths, (chunk) =>
        reader('former_addresses')
          .leftJoin('live_pages', 'live_pages.page_id', 'former_addresses.page_id')
          .where('former_addresses.project_id', projectId)
          .whereIn('former_addresses.path', chunk)
          .orderBy([{ column: 'former_addresses.left_at', order: 'desc' }, 'former_addresses.page_id'])
          .select<{ path: string; page_id: PageId; live_path: string | null }[]>(
            'former_addresses.path',
            'former_addresses.page_id',
            'live_pages.path AS live_path',
          ),
      )
      return rows.map(({ path, page_id: pageId, live_path: livePath }) => ({ path, pageId, livePath }))
    },

    async sizesOf(projectId, keys) {
      const rows = await selectInChunks(keys, (chunk) =>
        reader('live_objects')
          .where({ project_id: projectId })
          .whereNotNull('size')
          .whereIn('key', chunk)
          .select<{ key: string; size: number }[]>('key', 'size'),
      )
      return new Map(rows.map(({ key, size }) => [key, size]))
    },

    async linkTargets(projectId, keys) {
      const rows = await selectInChunks(keys, (chunk) =>
        reader('live_objects')
          .leftJoin('live_pages', 'live_pages.page_id', 'live_objects.owner_id')
          .where('live_objects.project_id', projectId)
          .whereIn('live_objects.key', chunk)
          .whereNotNull('live_objects.artifact_digest')
          .select<{ key: string; anchors: string | null }[]>('live_objects.key', 'live_pages.anchors'),
      )
      return new Map(rows.map(({ key, anchors }) => [key, anchors === null ? null : JSON.parse(anchors)]))
    },

    async orphanedAssets(projectId) {
      const rows = await unreferenced(projectId)
        .where((shared) => {
          for (const bounds of SHARED_KEYS) shared.orWhereBetween('key', bounds)
        })
        .orderBy('key')
        .select('key', 'unnamed_since', 'artifact_digest')
      return rows.map(({ key, unnamed_since: since, artifact_digest: digest }) => {
        return { key, since, isDeleting: digest === null }
      })
    },

    async exposedMedia(projectId, keyId) {
      return unreferenced(projectId)
        .where({ owner_kind: 'media' })
        .whereRaw('key_id IS DISTINCT FROM ?', [keyId])
        .orderBy('key')
        .pluck('key')
    },

    async projectsWithExposedMedia() {
      const keyId = jsonText(reader, 'live_sites.site', 'keyId')
      const exposed = reader('live_objects')
        .where({ owner_kind: 'media' })
        .where('live_objects.project_id', reader.ref('live_sites.project_id'))
        .whereRaw(`key_id IS DISTINCT FROM ${keyId}`)
      return reader('live_sites')
        .whereRaw(`${keyId} IS NOT NULL`)
        .whereExists(exposed.select(reader.raw('1')))
        .pluck('project_id')
    },

    async markOrphaned(lease, keys, since) {
      await underLease(lease, (trx) => markOrphaned(trx, lease.projectId, keys, since))
    },

    async markForDeletion(lease, keys) {
      await underLease(lease, (trx) => markForDeletion(trx, lease.projectId, keys))
    },

    async deleteObjects(lease, keys) {
      await underLease(lease, async (trx) => {
        await deleteObjects(trx, lease.projectId, keys)
        await purgeCached(trx, lease.projectId, keys, ports)
      })
    },

    async recordRepair(lease, rewritten, freed) {
      await underLease(lease, async (trx) => {
        await writeObjects(trx, lease.projectId, rewritten)
        await freeClaims(trx, lease.projectId, freed)
        // Nothing says which of its objects a cache has stored while they were damaged.
        await purgeCached(trx, lease.projectId, [WHOLE_SITE], ports)
      })
    },
  }

  /** Objects unused by live and frozen versions of pages and by the settings. */
  function unreferenced(projectId: ProjectId) {
    const ofRelease = (releases: Knex.QueryBuilder) =>
      reader('release_objects').whereIn('release_id', releases).where({ stage: 'asset' }).select('key')
    const live = reader('live_pages').where({ project_id: projectId }).select('release_id')
    // After Data Mode was disabled, a sealed page stays next to the plain one.
    const sealed = reader('live_objects')
      .where({ project_id: projectId, owner_kind: 'page' })
      .whereNotNull('key_id')
      .select('release_id')
    const named = jsonMembers(reader, 'live_sites.media', 'named')
    const variants = jsonItems(reader, "named.value -> 'variants'", 'variant')
    return objects()
      .where({ project_id: projectId, claimed_by: null })
      .whereNotIn('key', ofRelease(live))
      .whereNotIn('key', ofRelease(sealed))
      .whereRaw(
        `key NOT IN (SELECT named.value ->> 'key' FROM live_sites, ${named} WHERE live_sites.project_id = ?
          UNION SELECT variant.value ->> 'key' FROM live_sites, ${named}, ${variants}
            WHERE live_sites.project_id = ?)`,
        [projectId, projectId],
      )
  }

  async function columnOfLivePages<Value>(
    projectId: ProjectId,
    type: PageType,
    column: 'facts' | 'card',
  ): Promise<readonly Value[]> {
    const [row]: Packed[] = await reader('live_pages')
      .where({ project_id: projectId, type })
      .select(reader.raw("string_agg(??, ',') AS packed", [column]))
    return JSON.parse(`[${row?.packed ?? ''}]`)
  }
}

/** Selects rows by the rule of `feedLocale`: by the index on dates, or the one on languages and dates. */
function inFeedOf(rows: Knex.QueryBuilder, locale: Locale | null, locales: readonly Locale[]): void {
  if (locale === null) return
  if (locale.code !== defaultLocale(locales)?.code) rows.where({ locale: locale.code })
  else {
    const others = locales.filter((other) => other !== locale).map(({ code }) => code)
    rows.whereNull('locale').orWhereNotIn('locale', others)
  }
}

/** Rows concatenated in one string, about five times as fast with Knex as a row each. */
interface Packed {
  readonly packed: string | null
}

/** Splits a line at tabs, which no column contains. */
function unpackLine(packed: string): IndexLine {
  const [pageId = '', subroute = '', slug = '', locale = '', key = '', sitemap = '', llms = '', line = ''] =
    packed.split('\t')
  return {
    pageId: pageId as PageId,
    subroute,
    slug,
    line,
    sitemap: sitemap || null,
    llms: llms || null,
    ...(locale !== '' && { translated: { locale, key } }),
  }
}

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Knex } from 'knex'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import { MERGE, SEARCH_INDEX } from '../../domain/job.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import type { Commit, KeptBase, Ledger } from '../../publish/ledger.ts'
import { createJobQueue } from '../jobs.ts'
import type { SqliteConnections } from '../sqlite.ts'
import type { LeasePorts } from './leases.ts'
import { inChunks } from './objects.ts'

/* What the search index is made of, and when it is to be written anew. */

/** Publishes that follow each other closely are found together. */
const PAUSE_MS = 2_000
/** Until what pages were before leaves the index. */
const MERGE_MS = 60 * 60 * 1000
/** A job that is due then may have begun to write, or is about to. */
const SOON_MS = 10_000
/** The index of more would be too large to make, and to load. */
const MOST_PAGES = 50_000

interface EntryRow {
  readonly page_id: PageId
  readonly project_id: ProjectId
  readonly release_id: ReleaseId
  readonly entry: Buffer
}

export function createSearchRows(
  { reader }: Pick<SqliteConnections, 'reader'>,
  { now }: Pick<LeasePorts, 'now'>,
): Pick<Ledger, 'searchPages' | 'searchEntries' | 'searchBase' | 'isSearchDue'> {
  return {
    async searchPages(projectId) {
      const rows = await reader('search_entries')
        .join('live_pages', 'live_pages.page_id', 'search_entries.page_id')
        .where('search_entries.project_id', projectId)
        .orderBy(['live_pages.subroute', 'live_pages.slug'])
        .limit(MOST_PAGES)
        .select<EntryRow[]>('search_entries.page_id', 'search_entries.release_id')
      return rows.map(({ page_id: pageId, release_id: releaseId }) => ({ pageId, releaseId }))
    },

    async searchEntries(projectId, pages) {
      const rows: EntryRow[] = []
      await inChunks(pages, async (chunk) => {
        const found = reader<EntryRow>('search_entries').where({ project_id: projectId })
        rows.push(...(await found.whereIn('page_id', chunk)))
      })
      return rows.map(({ page_id: pageId, release_id: releaseId, entry }) => ({
        pageId,
        releaseId,
        entry: opened(entry),
      }))
    },

    async searchBase(projectId) {
      const row = await reader('search_bases').where({ project_id: projectId }).first('base')
      return row === undefined ? null : JSON.parse(row.base)
    },

    async isSearchDue(projectId) {
      const soon = new Date(Date.parse(now()) + SOON_MS).toISOString()
      const jobs = reader('jobs').where({ project_id: projectId, kind: SEARCH_INDEX })
      const due = jobs.whereIn('state', ['queued', 'running']).where('due_at', '<=', soon)
      return (await due.first('id')) !== undefined
    },
  }
}

/** Keep what search is to find, and have the index follow soon. */
export async function writeSearch(
  trx: Knex,
  projectId: ProjectId,
  { pages, gone, site, searchGone }: Commit,
  ports: LeasePorts,
): Promise<void> {
  await writeSearchEntries(trx, projectId, { pages, gone })
  if (searchGone) await dropSearchBase(trx, projectId)
  if (site !== null && site.site.hostingMode !== 'data_mode') await askForIndex(trx, projectId, ports)
}

export async function writeSearchEntries(
  trx: Knex,
  projectId: ProjectId,
  { pages, gone }: Pick<Commit, 'pages' | 'gone'>,
): Promise<void> {
  const rows = pages.flatMap(({ pageId, releaseId, search }) =>
    search === null
      ? []
      : [
          {
            page_id: pageId,
            project_id: projectId,
            release_id: releaseId,
            entry: packed(search),
          },
        ],
  )
  await inChunks(rows, (chunk) => trx('search_entries').insert(chunk).onConflict('page_id').merge())
  const hidden = pages.filter(({ search }) => search === null).map(({ pageId }) => pageId)
  await inChunks([...hidden, ...gone], (chunk) => trx('search_entries').whereIn('page_id', chunk).delete())
}

export async function writeSearchBase(trx: Knex, projectId: ProjectId, base: KeptBase | null): Promise<void> {
  if (base === null) return dropSearchBase(trx, projectId)
  await trx('search_bases')
    .insert({ project_id: projectId, base: JSON.stringify(base) })
    .onConflict('project_id')
    .merge()
}

export async function dropSearchBase(trx: Knex, projectId: ProjectId): Promise<void> {
  await trx('search_bases').where({ project_id: projectId }).delete()
}

function packed(entry: SearchEntry): Buffer {
  return deflateRawSync(JSON.stringify(entry))
}

function opened(bytes: Buffer): SearchEntry {
  return JSON.parse(inflateRawSync(bytes).toString())
}

/** One job waits at the most; one that runs may have read too early. */
function askForIndex(trx: Knex, projectId: ProjectId, ports: LeasePorts): Promise<void> {
  return ask(trx, projectId, null, PAUSE_MS, ports)
}

/** Have what pages were before taken out of the index, together with what is published meanwhile. */
export function askForMerge(trx: Knex, projectId: ProjectId, ports: LeasePorts): Promise<void> {
  return ask(trx, projectId, MERGE, MERGE_MS, ports)
}

async function ask(
  trx: Knex,
  projectId: ProjectId,
  payload: typeof MERGE | null,
  inMs: number,
  { now, newId }: LeasePorts,
): Promise<void> {
  const createdAt = now()
  const dueAt = new Date(Date.parse(createdAt) + inMs).toISOString()
  const waiting = trx('jobs').where({ project_id: projectId, kind: SEARCH_INDEX, state: 'queued' })
  if ((await waiting.where({ payload: JSON.stringify(payload) }).first('id')) !== undefined) return
  await createJobQueue(trx).enqueue({
    ...{ id: newId(), projectId, kind: SEARCH_INDEX, subject: null, payload, total: 1 },
    ...{ dueAt, createdAt },
  })
}

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Knex } from 'knex'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import { MERGE, SEARCH_INDEX } from '../../domain/job.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import type { Commit } from '../../publish/ledger/release-queue.ts'
import type { SearchRows, StoredSearchBase } from '../../publish/ledger/search-rows.ts'
import type { Connections } from '../connections.ts'
import { createJobQueue, hasQueuedJob } from '../jobs.ts'
import { changedKeys, purgeCached } from './changed-objects.ts'
import type { LeaseTransaction, LedgerPorts } from './leases.ts'
import { deleteObjects, inChunks, selectInChunks, writeObjects } from './objects.ts'

/** Delay of the index job after a publish, shared by publishes in close succession. */
const INDEX_DELAY_MS = 2_000
/** Delay of the job for merging obsolete words away. */
const MERGE_DELAY_MS = 60 * 60 * 1000
/** Time within which a due job may start writing before the caller is done. */
const SOON_MS = 10_000
/** Largest number of pages in an index: more would be too large to build and to load. */
const MAX_PAGES = 50_000

interface EntryRow {
  readonly page_id: PageId
  readonly project_id: ProjectId
  readonly release_id: ReleaseId
  readonly entry: Buffer
}

export function createSearchRows(
  { reader }: Pick<Connections, 'reader'>,
  underLease: LeaseTransaction,
  ports: LedgerPorts,
): SearchRows {
  return {
    async pages(projectId) {
      const rows = await reader('search_entries')
        .join('live_pages', 'live_pages.page_id', 'search_entries.page_id')
        .where('search_entries.project_id', projectId)
        .orderBy(['live_pages.subroute', 'live_pages.slug'])
        .limit(MAX_PAGES)
        .select<EntryRow[]>('search_entries.page_id', 'search_entries.release_id')
      return rows.map(({ page_id: pageId, release_id: releaseId }) => ({ pageId, releaseId }))
    },

    async entries(projectId, pages) {
      const rows = await selectInChunks(pages, (chunk) =>
        reader<EntryRow>('search_entries').where({ project_id: projectId }).whereIn('page_id', chunk),
      )
      return rows.map(({ page_id: pageId, release_id: releaseId, entry }) => ({
        pageId,
        releaseId,
        entry: unpack(entry),
      }))
    },

    async base(projectId) {
      const row = await reader('search_bases')
        .where({ project_id: projectId, is_writing: false })
        .first('base')
      return row === undefined ? null : JSON.parse(row.base)
    },

    async isDue(projectId) {
      const soon = new Date(Date.parse(ports.now()) + SOON_MS).toISOString()
      const jobs = reader('jobs').where({ project_id: projectId, kind: SEARCH_INDEX })
      const due = jobs.whereIn('state', ['queued', 'running']).where('due_at', '<=', soon)
      return (await due.first('id')) !== undefined
    },

    async startWriting(lease) {
      await underLease(lease, (trx) =>
        trx('search_bases').where({ project_id: lease.projectId }).update({ is_writing: true }),
      )
    },

    async commit(lease, { uploads, deletes, base, hasObsoleteWords }) {
      const { projectId } = lease
      await underLease(lease, async (trx) => {
        await writeObjects(trx, projectId, uploads)
        await deleteObjects(trx, projectId, deletes)
        await purgeCached(trx, projectId, changedKeys({ uploads, deletes }), ports)
        await writeSearchBase(trx, projectId, base)
        if (hasObsoleteWords) await enqueueSearchJob(trx, projectId, MERGE, MERGE_DELAY_MS, ports)
      })
    },
  }
}

/** Stores the search entries of a batch and schedules an update of the index. */
export async function updateSearch(
  trx: Knex,
  projectId: ProjectId,
  { pages, removed, site, removesSearchIndex }: Commit,
  ports: LedgerPorts,
): Promise<void> {
  await writeSearchEntries(trx, projectId, { pages, removed })
  if (removesSearchIndex) await dropSearchBase(trx, projectId)
  if (site.site.hostingMode !== 'data_mode')
    await enqueueSearchJob(trx, projectId, null, INDEX_DELAY_MS, ports)
}

export async function writeSearchEntries(
  trx: Knex,
  projectId: ProjectId,
  { pages, removed }: Pick<Commit, 'pages' | 'removed'>,
): Promise<void> {
  const rows = pages.flatMap(({ pageId, releaseId, search }) =>
    search === null
      ? []
      : [{ page_id: pageId, project_id: projectId, release_id: releaseId, entry: pack(search) }],
  )
  await inChunks(rows, (chunk) => trx('search_entries').insert(chunk).onConflict('page_id').merge())
  const hidden = pages.filter(({ search }) => search === null).map(({ pageId }) => pageId)
  await inChunks([...hidden, ...removed], (chunk) => trx('search_entries').whereIn('page_id', chunk).delete())
}

async function writeSearchBase(
  trx: Knex,
  projectId: ProjectId,
  base: StoredSearchBase | null,
): Promise<void> {
  if (base === null) return dropSearchBase(trx, projectId)
  await trx('search_bases')
    .insert({ project_id: projectId, base: JSON.stringify(base), is_writing: false })
    .onConflict('project_id')
    .merge()
}

export async function dropSearchBase(trx: Knex, projectId: ProjectId): Promise<void> {
  await trx('search_bases').where({ project_id: projectId }).delete()
}

function pack(entry: SearchEntry): Buffer {
  return deflateRawSync(JSON.stringify(entry))
}

function unpack(bytes: Buffer): SearchEntry {
  // Entries of earlier versions have no language.
  return { language: '', ...JSON.parse(inflateRawSync(bytes).toString()) }
}

/** Enqueues a search job unless one is queued already. */
async function enqueueSearchJob(
  trx: Knex,
  projectId: ProjectId,
  payload: typeof MERGE | null,
  delayMs: number,
  { now, newId }: LedgerPorts,
): Promise<void> {
  const createdAt = now()
  const job = { project_id: projectId, kind: SEARCH_INDEX, payload: JSON.stringify(payload) }
  if (await hasQueuedJob(trx, job)) return
  await createJobQueue(trx).enqueue({
    id: newId(),
    projectId,
    kind: SEARCH_INDEX,
    subject: null,
    payload,
    total: 1,
    dueAt: new Date(Date.parse(createdAt) + delayMs).toISOString(),
    createdAt,
  })
}

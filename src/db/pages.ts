import type { Knex } from 'knex'
import type { ReserveBytes } from '../domain/caller.ts'
import type { ServiceError } from '../domain/errors.ts'
import { fieldFailure } from '../domain/field-errors.ts'
import type { PageId, ProjectId, UserId } from '../domain/ids.ts'
import { SCHEDULED_PUBLISH, scheduledAt } from '../domain/job.ts'
import type { LiveFacts } from '../domain/live-page.ts'
import type { Page } from '../domain/page.ts'
import type { Paging, Slice } from '../domain/paging.ts'
import {
  containedText,
  containing,
  isPostgres,
  type NamedStatement,
  prepared,
  rowsOf,
  unindexed,
} from './dialect.ts'
import { isUniqueViolation, violates } from './errors.ts'
import { LARGE_BYTES, reserveFitting, type SizeRow } from './fitting-rows.ts'
import { pagesAt } from './ledger/pages-at.ts'
import { listed, sliced, totalOf } from './list-slice.ts'
import {
  CONTENT_COLUMNS,
  PAGE_COLUMNS,
  type PageRow,
  type StatsRow,
  SUMMARY_COLUMNS,
  type SummaryRow,
  toPage,
  toRow,
  toStats,
  toSummary,
} from './page-rows.ts'
import { findHome } from './projects.ts'
import type { PageFilter, PageRepository, PageSort } from './repositories/pages.ts'
import type { Home } from './repositories/projects.ts'

/** Bytes of the content of the page in a row. SQLite does not read the content for it. */
const CONTENT_BYTES =
  '(octet_length(pages.config) + octet_length(pages.markdown) + octet_length(pages.own_fields))'

/** Characters at the beginning of a text that hold its front matter, of at most 64 KiB. */
const MAX_FRONT_MATTER = 65_600
/** Keys in one condition. */
const KEYS_PER_QUERY = 500

const COLUMNS = PAGE_COLUMNS.map((column) => `pages.${column}`)
/** The content of a large page is null. */
const COLUMNS_IF_SMALL = [
  ...SUMMARY_COLUMNS.map((column) => `pages.${column}`),
  ...CONTENT_COLUMNS.map(
    (column) => `CASE WHEN ${CONTENT_BYTES} <= ${LARGE_BYTES} THEN pages.${column} END AS ${column}`,
  ),
]
const SCHEDULE_COLUMNS = ['jobs.payload AS schedule_payload', 'jobs.due_at AS schedule_due_at']

/**
 * The most frequent read: a page with the versions of its project and settings, which validate the cache of projects.
 * Joins of these would take PostgreSQL longer to plan than all of it takes to run.
 */
const find = (columns: readonly string[], join = '') => `SELECT ${columns.join(', ')},
  ${CONTENT_BYTES} AS content_bytes,
  (SELECT version FROM projects WHERE id = pages.project_id AND deleted_at IS NULL) AS project_version,
  (SELECT version FROM settings WHERE project_id = pages.project_id) AS settings_version
  FROM pages ${join} WHERE pages.id = ?`

const JOIN_SCHEDULE = `LEFT JOIN jobs ON jobs.kind = '${SCHEDULED_PUBLISH}' AND jobs.subject = pages.id
  AND jobs.state IN ('queued', 'running')`

const FIND: FindStatements = {
  any: { name: 'find_page', sql: find(COLUMNS) },
  small: { name: 'find_small_page', sql: find(COLUMNS_IF_SMALL) },
}
/** Reading the schedule makes a transaction conflict with writers of it, so most do not read it. */
const FIND_SCHEDULED: FindStatements = {
  any: { name: 'find_scheduled_page', sql: find([...COLUMNS, ...SCHEDULE_COLUMNS], JOIN_SCHEDULE) },
  small: {
    name: 'find_small_scheduled_page',
    sql: find([...COLUMNS_IF_SMALL, ...SCHEDULE_COLUMNS], JOIN_SCHEDULE),
  },
}

interface FindStatements {
  readonly any: NamedStatement
  readonly small: NamedStatement
}

interface FoundRow extends PageRow {
  readonly content_bytes: number
  /** Version of the project; null when it is deleted. */
  readonly project_version: number | null
  readonly settings_version: number
  readonly schedule_payload?: string | null
  readonly schedule_due_at?: string | null
}

/** Cache of projects. An entry is valid while its versions equal the stored ones. */
export interface KnownHomes {
  get(id: ProjectId): KnownHome | undefined
  set(id: ProjectId, home: KnownHome): unknown
}

export interface KnownHome {
  readonly versions: string
  readonly home: Home
}

/** Ids per statement. */
const IDS_PER_STATEMENT = 500

const SORT_COLUMNS = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  page_name: 'title',
  slug: 'slug',
} as const satisfies Readonly<Record<PageSort, string>>

/**
 * @param db a Knex instance or, inside a transaction, the transaction.
 * @param known a cache of projects; a transaction that rolls back must not add to it.
 */
export function createPageRepository(db: Knex, known: KnownHomes | null = null): PageRepository {
  const pages = () => db<PageRow>('pages')

  return {
    async insert(page, createdBy) {
      await refuseTaken(page, db('pages').insert({ ...toRow(page), created_by: createdBy }))
    },

    async creatorOf(id) {
      const row = await db('pages')
        .where({ id })
        .first<{ readonly created_by: UserId | null } | undefined>('created_by')
      return row?.created_by ?? null
    },

    async find(id, reserve) {
      const found = await findWith(FIND, id, reserve)
      return found && { page: toPage(found.row), home: found.home }
    },

    async findScheduled(id, reserve) {
      const found = await findWith(FIND_SCHEDULED, id, reserve)
      return found && { page: toPage(found.row), home: found.home, scheduledAt: scheduleIn(found.row) }
    },

    async list(filter, paging) {
      const rows: readonly SummaryRow[] = await paged(
        db,
        matching(db, pages(), filter),
        filter,
        paging,
      ).select(SUMMARY_COLUMNS)
      const column = SORT_COLUMNS[paging.sort]
      const positions = rows.map((row) => ({ key: row[column], id: row.id }))
      return listed(rows.map(toSummary), positions, paging, await total(filter, paging))
    },

    async listWithContent(filter, paging, reserve) {
      const sizes: readonly (SizeRow<PageId> & { readonly sorted: string })[] = await paged(
        db,
        matching(db, pages(), filter),
        filter,
        paging,
      ).select('id', { sorted: SORT_COLUMNS[paging.sort] }, db.raw(`${CONTENT_BYTES} AS bytes`))
      const ids = reserveFitting(sizes, reserve)
      const found = new Map((await this.findWithin(filter.projectId, ids)).map((page) => [page.id, page]))
      const positions = sizes.map(({ sorted: key, id }) => ({ key, id }))
      const rows = listed(ids, positions, paging, await total(filter, paging))
      // A page that was deleted meanwhile is left out.
      const items = ids.flatMap((id) => found.get(id) ?? [])
      return { ...rows, items, positions: rows.positions.filter(({ id }) => found.has(id as PageId)) }
    },

    async stats(projectId) {
      const rows = await pages()
        .where({ project_id: projectId })
        .groupBy('status', 'type')
        .select<StatsRow[]>(
          'status',
          'type',
          db.raw('count(*) AS pages'),
          db.raw('sum(word_count) AS words'),
          db.raw('max(published_at) AS last_published_at'),
        )
      return toStats(rows)
    },

    async update(page) {
      await refuseTaken(page, pages().where({ id: page.id }).update(toRow(page)))
    },

    async ids(filter) {
      return matching(db, pages(), filter).orderBy(['created_at', 'id']).pluck('id')
    },

    async idsWithin(projectId, ids) {
      const found: PageId[] = []
      for (let start = 0; start < ids.length; start += IDS_PER_STATEMENT) {
        const some = ids.slice(start, start + IDS_PER_STATEMENT)
        found.push(...(await pages().where({ project_id: projectId }).whereIn('id', some).pluck('id')))
      }
      return new Set(found)
    },

    async titlesWithin(projectId, ids) {
      const rows = await pages()
        .where({ project_id: projectId })
        .whereIn('id', [...ids])
        .select('id', 'title')
      return new Map(rows.map(({ id, title }) => [id, title]))
    },

    async contentBytes(projectId, ids) {
      const rows = await pages()
        .where({ project_id: projectId })
        .whereIn('id', [...ids])
        .select<SizeRow<PageId>[]>('id', db.raw(`${CONTENT_BYTES} AS bytes`))
      return new Map(rows.map(({ id, bytes }) => [id, bytes]))
    },

    async findWithin(projectId, ids) {
      const rows = await pages()
        .where({ project_id: projectId })
        .whereIn('id', [...ids])
        .select<PageRow[]>(PAGE_COLUMNS)
      return rows.map(toPage)
    },

    async findSummaries(projectId, ids) {
      const rows = await pages()
        .where({ project_id: projectId })
        .whereIn('id', [...ids])
        .select<SummaryRow[]>(SUMMARY_COLUMNS)
      return rows.map(toSummary)
    },

    async findBeginnings(projectId, ids) {
      const others = PAGE_COLUMNS.filter((column) => column !== 'markdown')
      const rows = await pages()
        .where({ project_id: projectId })
        .whereIn('id', [...ids])
        .select<PageRow[]>(...others, db.raw('substr(markdown, 1, ?) AS markdown', MAX_FRONT_MATTER))
      return rows.map(toPage)
    },

    async needingWide(projectId, limit) {
      const wide = pages().where({ project_id: projectId }).whereRaw(needsWide(db))
      const items = await wide
        .clone()
        .orderBy(['created_at', 'id'])
        .limit(limit)
        .select<Pick<PageRow, 'id' | 'subroute' | 'slug'>[]>('id', 'subroute', 'slug')
      const count = await wide.clone().count({ total: '*' }).first()
      return { items, total: Number(count?.['total']) }
    },

    liveAt: (projectId, paths) => pagesAt(db, projectId, paths),

    async liveDigests(ids) {
      const rows = await db('live_pages')
        .whereIn('page_id', [...ids])
        .select<{ page_id: PageId; digests: string }[]>('page_id', 'digests')
      return new Map(rows.map((row) => [row.page_id, JSON.parse(row.digests)]))
    },

    idsNamingRedirects(projectId, limit) {
      return pages()
        .where({ project_id: projectId })
        .where((naming) =>
          naming
            .where('config', 'like', '%"redirect_from"%')
            .orWhereRaw("substr(markdown, 1, ?) LIKE '---%redirect_from%'", MAX_FRONT_MATTER),
        )
        .orderBy(['created_at', 'id'])
        .limit(limit)
        .pluck('id')
    },

    async liveRedirects(projectId, limit) {
      const rows = await db('live_objects')
        .join('live_pages', 'live_pages.page_id', 'live_objects.owner_id')
        .where({ 'live_objects.project_id': projectId, 'live_objects.owner_kind': 'redirect' })
        .orderBy('live_objects.key')
        .limit(limit)
        .select<{ key: string; facts: string; page_id: PageId }[]>(
          'live_objects.key',
          'live_pages.facts',
          'live_pages.page_id',
        )
      return rows.map(({ key, facts, page_id: pageId }) => {
        const { path }: LiveFacts = JSON.parse(facts)
        return { key, path, pageId }
      })
    },

    async firstObject(projectId, keys) {
      const found: readonly string[] = await db('live_objects')
        .where({ project_id: projectId })
        .whereIn('key', [...keys])
        .whereNotNull('artifact_digest')
        .pluck('key')
      return keys.find((key) => found.includes(key)) ?? null
    },

    async documentsAt(projectId, keys) {
      const found = new Set<string>()
      for (let start = 0; start < keys.length; start += KEYS_PER_QUERY) {
        const some: readonly string[] = await db('live_objects')
          .where({ project_id: projectId })
          .whereIn('key', keys.slice(start, start + KEYS_PER_QUERY))
          .whereNotNull('artifact_digest')
          .whereNot({ owner_kind: 'redirect' })
          .pluck('key')
        for (const key of some) found.add(key)
      }
      return found
    },

    async delete(id) {
      await pages().where({ id }).delete()
    },
  }

  async function findWith(
    statements: FindStatements,
    id: PageId,
    reserve: ReserveBytes | undefined,
  ): Promise<{ readonly row: FoundRow; readonly home: Home } | null> {
    const row = await findRow(statements, id, reserve)
    const home = row === null ? null : await homeOf(row)
    return row === null || home === null ? null : { row, home }
  }

  /** Finds the row of a page; null also for a page of a deleted project. */
  async function findRow(
    { any, small }: FindStatements,
    id: PageId,
    reserve: ReserveBytes | undefined,
  ): Promise<FoundRow | null> {
    const read = async (statement: NamedStatement) => {
      const [row] = rowsOf<FoundRow>(await prepared(db, statement, [id]))
      return row === undefined || row.project_version === null ? null : row
    }
    if (reserve === undefined) return read(any)
    const row = await read(small)
    if (row === null || row.content_bytes <= LARGE_BYTES) return row
    reserve(row.content_bytes)
    return read(any)
  }

  async function homeOf({
    project_id: id,
    project_version,
    settings_version,
  }: FoundRow): Promise<Home | null> {
    const versions = `${project_version} ${settings_version}`
    const cached = known?.get(id)
    if (cached?.versions === versions) return cached.home
    const home = await findHome(db, id)
    if (home !== null) known?.set(id, { versions, home })
    return home
  }

  function total(filter: PageFilter, paging: Slice): Promise<number> {
    return totalOf(matching(db, pages(), filter), paging)
  }
}

function scheduleIn({ schedule_payload: payload, schedule_due_at: dueAt }: FoundRow): string | null {
  if (typeof payload !== 'string' || typeof dueAt !== 'string') return null
  return scheduledAt({ kind: SCHEDULED_PUBLISH, payload: JSON.parse(payload), dueAt })
}

function matching(db: Knex, query: Knex.QueryBuilder, filter: PageFilter): Knex.QueryBuilder {
  if (filter.tag === null) query.where('project_id', filter.projectId)
  else query.whereRaw(TAGGED, [unindexed(db, 'project_id'), filter.projectId, filter.projectId, filter.tag])
  if (filter.type !== null) query.where('type', filter.type)
  if (filter.status !== null) query.where('status', filter.status)
  if (filter.subroute !== null) query.where('subroute', filter.subroute)
  if (filter.slug !== null) matchSlug(query, filter.slug)
  if (filter.search != null) {
    const text = containedText(filter.search)
    query.whereRaw(containing(db, ['title', 'slug']), [text, text])
  }
  if (filter.createdAfter !== null) query.where('created_at', '>', filter.createdAfter)
  if (filter.createdBefore !== null) query.where('created_at', '<', filter.createdBefore)
  if (filter.updatedAfter !== null) query.where('updated_at', '>', filter.updatedAfter)
  if (filter.updatedBefore !== null) query.where('updated_at', '<', filter.updatedBefore)
  return query
}

/** Without the index of projects, so that a database does not scan the whole project. */
const TAGGED = '? = ? AND id IN (SELECT page_id FROM page_tags WHERE project_id = ? AND address = ?)'

/** The literal prefix of a pattern also bounds the slug, so that the index narrows the search. */
function matchSlug(query: Knex.QueryBuilder, pattern: string): void {
  if (!pattern.includes('*')) {
    query.where('slug', pattern)
    return
  }
  const prefix = pattern.slice(0, pattern.indexOf('*'))
  if (prefix !== '') query.where('slug', '>=', prefix).where('slug', '<', `${prefix}\u{10ffff}`)
  const like = pattern.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%')
  query.whereRaw("slug LIKE ? ESCAPE '\\'", [like])
}

/**
 * Sorts by id last, so that the order is total and the pages of a list neither overlap nor skip rows.
 *
 * Without the index, so that a database does not scan the whole project in sort order when a slug or a tag narrows the
 * search to a few pages.
 */
function paged(
  db: Knex,
  query: Knex.QueryBuilder,
  { slug, tag }: PageFilter,
  paging: Paging<PageSort>,
): Knex.QueryBuilder {
  const column = SORT_COLUMNS[paging.sort]
  const isNarrow = slug !== null || tag !== null
  return sliced(query, [isNarrow ? unindexed(db, column) : column, 'id'], paging.order, paging)
}

/** The unique indexes decide, so that of two concurrent requests only one succeeds. */
async function refuseTaken(page: Page, write: PromiseLike<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (violates(error, 'feed_guid')) throw takenFeedGuid(page, error)
    if (!isUniqueViolation(error)) throw error
    const place = page.subroute === '' ? 'the root of the site' : `"${page.subroute}"`
    const message = `another page in ${place} has the slug "${page.slug}".`
    throw fieldFailure('conflict', [{ path: 'slug', message, code: 'taken' }], { cause: error })
  }
}

function takenFeedGuid({ feedGuid }: Page, cause: unknown): ServiceError {
  const message = `another page of the project has the id "${feedGuid?.slice(0, 200)}" in feeds.`
  return fieldFailure('conflict', [{ path: 'feed_guid', message, code: 'taken' }], { cause })
}

/** Returns an SQL condition for addresses with letters that not every site may have. */
function needsWide(db: Knex): string {
  return isPostgres(db)
    ? "(slug ~ '[^a-z0-9-]' OR subroute ~ '[^a-z0-9/-]')"
    : "(slug GLOB '*[^a-z0-9-]*' OR subroute GLOB '*[^a-z0-9/-]*')"
}

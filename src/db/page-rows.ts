import type { PageId, ProjectId } from '../domain/ids.ts'
import { pageMediaNames } from '../domain/media-names.ts'
import { type Page, type PageStatus, type PageSummary, type PageType, sectionsOf } from '../domain/page.ts'
import { NO_TAGS, tagAddress } from '../domain/tag.ts'
import type { PageStats } from './repositories/pages.ts'

/** The columns of a page in lists. */
export interface SummaryRow {
  readonly id: PageId
  readonly project_id: ProjectId
  readonly title: string
  readonly slug: string
  readonly subroute: string
  readonly type: PageType
  readonly status: PageStatus
  readonly description: string
  readonly og_image_url: string | null
  readonly meta: string
  /** JSON: an array of `[address, name]`. */
  readonly tags: string
  readonly feed_guid: string | null
  readonly feed_id: string | null
  readonly sections_count: number
  readonly word_count: number
  readonly content_digest: string
  readonly published_at: string | null
  readonly first_published_at: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}

export interface PageRow extends SummaryRow {
  readonly config: string
  readonly markdown: string
  readonly own_fields: string
}

export const SUMMARY_COLUMNS = [
  'id',
  'project_id',
  'title',
  'slug',
  'subroute',
  'type',
  'status',
  'description',
  'og_image_url',
  'meta',
  'tags',
  'feed_guid',
  'feed_id',
  'sections_count',
  'word_count',
  'content_digest',
  'published_at',
  'first_published_at',
  'created_at',
  'updated_at',
  'version',
] as const satisfies readonly (keyof SummaryRow)[]

export const CONTENT_COLUMNS = [
  'config',
  'markdown',
  'own_fields',
] as const satisfies readonly (keyof PageRow)[]

export const PAGE_COLUMNS = [...SUMMARY_COLUMNS, ...CONTENT_COLUMNS] as const

/** A row as it is written. Only triggers and queries read the names. */
export interface WrittenPageRow extends PageRow {
  /** Names of assets, JSON. */
  readonly media: string
}

export function toRow(page: Page): WrittenPageRow {
  return {
    id: page.id,
    project_id: page.projectId,
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    status: page.status,
    description: page.description,
    og_image_url: page.ogImageUrl,
    meta: JSON.stringify(page.meta),
    tags: JSON.stringify(page.tags.map((name) => [tagAddress(name), name])),
    feed_guid: page.feedGuid,
    feed_id: page.feedId,
    config: JSON.stringify(page.config),
    markdown: page.markdown,
    own_fields: JSON.stringify(page.ownFields),
    sections_count: sectionsOf(page).length,
    word_count: page.wordCount,
    content_digest: page.contentDigest,
    published_at: page.publishedAt,
    first_published_at: page.firstPublishedAt,
    created_at: page.createdAt,
    updated_at: page.updatedAt,
    version: page.version,
    media: JSON.stringify(pageMediaNames(page)),
  }
}

export function toSummary(row: SummaryRow): PageSummary {
  return {
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    slug: row.slug,
    subroute: row.subroute,
    type: row.type,
    status: row.status,
    description: row.description,
    ogImageUrl: row.og_image_url,
    meta: JSON.parse(row.meta),
    tags: tagNames(row.tags),
    feedGuid: row.feed_guid,
    feedId: row.feed_id,
    sectionsCount: row.sections_count,
    wordCount: row.word_count,
    contentDigest: row.content_digest,
    publishedAt: row.published_at,
    firstPublishedAt: row.first_published_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

/** Most pages have none. */
function tagNames(stored: string): readonly string[] {
  return stored === '[]' ? NO_TAGS : JSON.parse(stored).map(([, name]: readonly string[]) => name)
}

export function toPage(row: PageRow): Page {
  const { sectionsCount: _, ...summary } = toSummary(row)
  return {
    ...summary,
    config: JSON.parse(row.config),
    markdown: row.markdown,
    ownFields: JSON.parse(row.own_fields),
  }
}

/** Counts of pages by status and type. */
export interface StatsRow {
  readonly status: PageStatus
  readonly type: PageType
  readonly pages: string | number
  readonly words: string | number
  readonly last_published_at: string | null
}

export function toStats(rows: readonly StatsRow[]): PageStats {
  const byStatus: Record<PageStatus, number> = { draft: 0, published: 0, archived: 0 }
  const byType: Record<PageType, number> = { page: 0, article: 0, docs: 0, item: 0 }
  let wordCount = 0
  let lastPublishedAt: string | null = null
  for (const { status, type, pages, words, last_published_at: last } of rows) {
    byStatus[status] += Number(pages)
    byType[type] += Number(pages)
    wordCount += Number(words)
    if (last !== null && (lastPublishedAt === null || last > lastPublishedAt)) lastPublishedAt = last
  }
  return { byStatus, byType, wordCount, lastPublishedAt }
}

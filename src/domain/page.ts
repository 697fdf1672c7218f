import { type ChangelogEntry, readChangelogEntry } from './changelog.ts'
import { readLocalDate } from './date.ts'
import { readFeedGuid } from './feed-guid.ts'
import { type PageId, type ProjectId, readId } from './ids.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
import { readLanguageTag } from './language-tag.ts'
import { laterOf } from './later-of.ts'
import { MAX_TRANSLATION_KEY } from './page-limits.ts'
import { NO_PATHS, toPathList } from './redirect-path.ts'
import { readSubroute } from './route.ts'
import { readSeries, type Series } from './series.ts'
import { NO_TAGS, readTags } from './tag.ts'

export const PAGE_TYPES = ['page', 'article', 'docs', 'item'] as const
export type PageType = (typeof PAGE_TYPES)[number]

export const PAGE_STATUSES = ['draft', 'published', 'archived'] as const
export type PageStatus = (typeof PAGE_STATUSES)[number]

/** The unit of content. Its type decides how `config` and `markdown` are used. */
export interface Page {
  readonly id: PageId
  readonly projectId: ProjectId
  readonly title: string
  /** Unique within project and subroute, whatever the status. */
  readonly slug: string
  readonly subroute: string
  readonly type: PageType
  readonly status: PageStatus
  readonly description: string
  readonly ogImageUrl: string | null
  readonly meta: PageMeta
  /** Sections of a `page`, custom fields of an `item`, anything of the others. */
  readonly config: JsonObject
  /** Markdown of an `article` or a `docs` page, its YAML front matter included. */
  readonly markdown: string
  /** Values that a client wrote to the type's own top-level fields; keys that were never written are absent. */
  readonly ownFields: Partial<TypeFields>
  readonly wordCount: number
  /** Effective names of its tags, wherever the author wrote them. */
  readonly tags: readonly string[]
  /** The effective id that the author states for feeds, of an article; null for none. */
  readonly feedGuid: string | null
  /** The id in feeds of a page that states none, from its first publish on (see `feed-id.ts`); null before. */
  readonly feedId: string | null
  /** Digest of everything that an author can change. */
  readonly contentDigest: string
  /** Time of the last publish; an unpublish does not clear it. */
  readonly publishedAt: string | null
  readonly firstPublishedAt: string | null
  readonly createdAt: string
  /** Time of the last edit; each edit moves it by at least a millisecond. */
  readonly updatedAt: string
  /** Counts the edits, from 1. */
  readonly version: number
}

/** A page without its content, as lists show it. */
export type PageSummary = Omit<Page, 'config' | 'markdown' | 'ownFields'> & { readonly sectionsCount: number }

/** SEO metadata; an absent key was never set. */
export interface PageMeta {
  readonly title?: string
  readonly description?: string
  readonly keywords?: string
  readonly robots?: string
}

export interface Author {
  readonly name: string
  readonly avatar: string | null
  /** A sentence or two about the author. */
  readonly bio?: string | undefined
  /** The author's own page. */
  readonly url?: string | undefined
  /**
   * The last segment of the addresses of their lists; absent for an author without a description (see
   * `site-author.ts`).
   */
  readonly address?: string | undefined
}

/** The type's own fields with their effective values, wherever the author wrote them. */
export interface TypeFields {
  /** Paths that redirect to the page, as written (see `redirect-path.ts`); from `config` or front matter only. */
  readonly redirectFrom: readonly string[]
  /** Names of tags, as written; see `tag.ts`. */
  readonly tags: readonly string[]
  /** The code of its locale, where the author states it (see `locale.ts`). */
  readonly locale: string | null
  /** The key of its translations, where the author states it. */
  readonly translationKey: string | null
  /* Only an `article` has these; others may lack the optional ones. */
  /** ISO 8601 with the author's offset; see `date.ts`. */
  readonly publishDate: string | null
  readonly author: Author | null
  /** Its id in feeds, where the author states it (see `feed-id.ts`). */
  readonly feedGuid?: string | null
  /** The subroute of its blog, where the author states it (see `blog.ts`); from `config` or front matter only. */
  readonly blog: string | null
  /** The series that it is a part of (see `series.ts`); from `config` or front matter only. */
  readonly series?: Series | null
  /** Its entry in a changelog; null in a usual blog. From `config` or front matter only. */
  readonly changelog?: ChangelogEntry | null
  /* Only a `docs` page has these. */
  readonly navOrder: number
  readonly parentPage: PageId | null
  /** A short label next to the title in the sidebar; from `config` or front matter only. */
  readonly badge: string | null
}

/** Changes of a page; `undefined` keeps the stored value. */
export type PageEdit = {
  readonly [K in
    | 'title'
    | 'slug'
    | 'subroute'
    | 'type'
    | 'description'
    | 'ogImageUrl'
    | 'config'
    | 'markdown']?: Page[K] | undefined
} & {
  readonly meta?: { readonly [K in keyof PageMeta]?: string | null } | undefined
  readonly ownFields?: Partial<TypeFields> | undefined
}

/** The part of a page that an author writes. */
export type PageContent = Pick<
  Page,
  | 'title'
  | 'slug'
  | 'subroute'
  | 'type'
  | 'description'
  | 'ogImageUrl'
  | 'meta'
  | 'config'
  | 'markdown'
  | 'ownFields'
>

/** Fields that the client supplies for a new page; `newPage` fills in the rest. */
export type PageDraft = PageContent & Pick<Page, 'projectId'>

/** Fields that are derived from the content on every write. */
export type Derived = Pick<Page, 'wordCount' | 'tags' | 'feedGuid' | 'contentDigest'>

export function newPage(
  draft: PageDraft,
  { id, now, derive }: { id: PageId; now: string; derive: (content: PageContent) => Derived },
): Page {
  return {
    ...draft,
    ...derive(draft),
    id,
    status: 'draft',
    feedId: null,
    publishedAt: null,
    firstPublishedAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  }
}

/** True when an edit names no field, as a PUT of `status` alone does. */
export function isEmptyEdit({ ownFields = {}, ...fields }: PageEdit): boolean {
  return [...Object.values(fields), ...Object.values(ownFields)].every((value) => value === undefined)
}

/** The page after an edit: `meta` is merged key by key (null clears one), everything else replaced. */
export function applyEdit(
  page: Page,
  edit: PageEdit,
  { now, derive }: { now: string; derive: (content: PageContent) => Derived },
): Page {
  const { meta, ownFields, ...fields } = edit
  const next: Page = {
    ...page,
    ...withoutUndefined(fields),
    meta: meta === undefined ? page.meta : mergeMeta(page.meta, meta),
    ownFields: { ...page.ownFields, ...ownFields },
    updatedAt: laterOf(now, page.updatedAt),
    version: page.version + 1,
  }
  return { ...next, ...derive(next) }
}

/** An edit that is reverted when the publish in the same request is refused. */
export interface Undo {
  readonly before: Page
  readonly after: Page
}

/** Reverts an edit. Fields that were written again since then keep their values. */
export function revertEdit(page: Page, { before, after }: Undo): Page {
  const { status, feedId, publishedAt, firstPublishedAt } = page
  if (page.version === after.version) return { ...before, status, feedId, publishedAt, firstPublishedAt }
  const untouched = EDITABLE.filter((field) => JSON.stringify(page[field]) === JSON.stringify(after[field]))
  const restored = Object.fromEntries(untouched.map((field) => [field, before[field]]))
  return { ...page, ...restored, version: page.version + 1 }
}

const EDITABLE = [
  'title',
  'slug',
  'subroute',
  'type',
  'description',
  'ogImageUrl',
  'meta',
  'config',
  'markdown',
  'ownFields',
  'wordCount',
  'tags',
  'feedGuid',
  'contentDigest',
] as const satisfies readonly (keyof Page)[]

/** The elements of `config.sections` of a `page`; none for the other types. */
export function sectionsOf(page: Pick<Page, 'type' | 'config'>): readonly JsonValue[] {
  const sections = page.config['sections']
  return page.type === 'page' && Array.isArray(sections) ? sections : []
}

/** The theme that a page states in its `config`; null if it has that of the project. */
export function ownTheme({ type, config }: Pick<Page, 'type' | 'config'>): string | null {
  const theme = type === 'page' ? config['theme'] : null
  return typeof theme === 'string' ? theme : null
}

/**
 * The effective values of the type's own fields: from the page's fields, else from the same names in `config`, else
 * from the front matter, else the defaults. Fields of other types have their defaults.
 *
 * @param frontMatter of the page's Markdown.
 */
export function typeFieldsOf(
  {
    type,
    ownFields,
    config,
    firstPublishedAt,
  }: Pick<Page, 'type' | 'ownFields' | 'config' | 'firstPublishedAt'>,
  frontMatter: JsonObject,
): TypeFields {
  const written = (name: string): JsonValue | undefined => config[name] ?? frontMatter[name]
  const redirectFrom = toPathList(written('redirect_from'))
  const tags = ownFields.tags ?? readTags(written('tags'))
  const common = {
    redirectFrom,
    tags,
    locale: ownFields.locale ?? readLocale(written('locale')),
    translationKey: readTranslationKey(ownFields.translationKey ?? written('translation_key')),
  }
  if (type === 'article') {
    return {
      ...NO_FIELDS,
      ...common,
      publishDate:
        ownFields.publishDate ??
        readLocalDate(written('publish_date') ?? written('date')) ??
        firstPublishedAt,
      author: ownFields.author ?? readAuthor(written('author')),
      feedGuid: ownFields.feedGuid ?? readFeedGuid(written('guid')),
      blog: readBlog(written('blog')),
      series: readSeries(written('series')),
      changelog: readChangelogEntry(written('list'), written('version')),
    }
  }
  if (type !== 'docs') return isEmpty(common) ? NO_FIELDS : { ...NO_FIELDS, ...common }
  return {
    ...NO_FIELDS,
    ...common,
    navOrder: ownFields.navOrder ?? readOrder(written('nav_order')),
    parentPage: ownFields.parentPage ?? readParent(written('parent_page')),
    badge: readBadge(written('badge')),
  }
}

const NO_FIELDS: TypeFields = {
  redirectFrom: NO_PATHS,
  tags: NO_TAGS,
  locale: null,
  translationKey: null,
  publishDate: null,
  author: null,
  feedGuid: null,
  blog: null,
  navOrder: 0,
  parentPage: null,
  badge: null,
}

type CommonFields = Pick<TypeFields, 'redirectFrom' | 'tags' | 'locale' | 'translationKey'>

/** Pages without any share one object, because a large site has many of them. */
function isEmpty({ redirectFrom, tags, locale, translationKey }: CommonFields): boolean {
  return redirectFrom === NO_PATHS && tags === NO_TAGS && locale === null && translationKey === null
}

function readLocale(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? (readLanguageTag(value)?.tag ?? null) : null
}

/** One line: the rows of the index are packed with tabs and line breaks between values. */
function readTranslationKey(value: JsonValue | undefined): string | null {
  const key = typeof value === 'string' ? value.trim() : ''
  return key !== '' && [...key].length <= MAX_TRANSLATION_KEY && !/\p{Cc}/u.test(key) ? key : null
}

function readAuthor(value: JsonValue | undefined): Author | null {
  if (typeof value === 'string' && value !== '') return { name: value, avatar: null }
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return null
  const { name, avatar, bio, url } = value
  return {
    name,
    avatar: typeof avatar === 'string' ? avatar : null,
    ...(typeof bio === 'string' && bio !== '' && { bio }),
    ...(typeof url === 'string' && url !== '' && { url }),
  }
}

function readOrder(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : 0
}

function readParent(value: JsonValue | undefined): PageId | null {
  return typeof value === 'string' ? readId('page', value) : null
}

function readBlog(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? readSubroute(value, 'wide') : null
}

function readBadge(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 20 ? value : null
}

function mergeMeta(meta: PageMeta, changes: { readonly [K in keyof PageMeta]?: string | null }): PageMeta {
  return Object.fromEntries(Object.entries({ ...meta, ...changes }).filter(([, value]) => value !== null))
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

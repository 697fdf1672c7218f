import type { ReserveBytes } from '../../domain/caller.ts'
import type { PageId, ProjectId, UserId } from '../../domain/ids.ts'
import type { Page, PageStatus, PageSummary, PageType } from '../../domain/page.ts'
import type { Listed, Paging } from '../../domain/paging.ts'
import type { LiveDigests } from '../../domain/staleness.ts'
import type { Home } from './projects.ts'

export interface PageFilter {
  readonly projectId: ProjectId
  readonly type: PageType | null
  readonly status: PageStatus | null
  readonly subroute: string | null
  /** An exact slug, or a pattern in which `*` matches any characters. */
  readonly slug: string | null
  /** The address of a tag. */
  readonly tag: string | null
  /** A part of the title or of the slug, in any case. */
  readonly search?: string | null
  readonly createdAfter: string | null
  readonly createdBefore: string | null
  readonly updatedAfter: string | null
  readonly updatedBefore: string | null
}

/** All pages of a project. */
export const ANY_PAGE: Omit<PageFilter, 'projectId'> = {
  type: null,
  status: null,
  subroute: null,
  slug: null,
  tag: null,
  createdAfter: null,
  createdBefore: null,
  updatedAfter: null,
  updatedBefore: null,
}

export type PageSort = 'created_at' | 'updated_at' | 'page_name' | 'slug'

/** Statistics about the pages of a project. */
export interface PageStats {
  readonly byStatus: Readonly<Record<PageStatus, number>>
  readonly byType: Readonly<Record<PageType, number>>
  readonly wordCount: number
  /** When a page was last published, even if it is not live any more; null when none was. */
  readonly lastPublishedAt: string | null
}

export interface PageRepository {
  /** @throws {ServiceError} `conflict` when the slug is taken in the subroute. */
  insert(page: Page, createdBy: UserId): Promise<void>
  /** The user who created a page; null for an unknown page. */
  creatorOf(id: PageId): Promise<UserId | null>
  /** @param reserve called before the content of a large page is read. */
  find(id: PageId, reserve?: ReserveBytes): Promise<{ readonly page: Page; readonly home: Home } | null>
  /** Finds a page like `find`, with the time of its scheduled publish; null when it is not scheduled. */
  findScheduled(
    id: PageId,
    reserve?: ReserveBytes,
  ): Promise<{ readonly page: Page; readonly home: Home; readonly scheduledAt: string | null } | null>
  list(filter: PageFilter, paging: Paging<PageSort>): Promise<Listed<PageSummary>>
  /**
   * Lists pages like `list`, with config and Markdown. Stops before their bytes exceed `MAX_LIST_BYTES`.
   *
   * @param reserve called before the content is read.
   */
  listWithContent(filter: PageFilter, paging: Paging<PageSort>, reserve?: ReserveBytes): Promise<Listed<Page>>
  stats(projectId: ProjectId): Promise<PageStats>
  /** Replaces the stored page. @throws {ServiceError} `conflict` when the slug is taken in the subroute. */
  update(page: Page): Promise<void>
  delete(id: PageId): Promise<void>
  /** Every page that matches, oldest first. */
  ids(filter: PageFilter): Promise<readonly PageId[]>
  /** The project's pages among these ids. */
  idsWithin(projectId: ProjectId, ids: readonly PageId[]): Promise<ReadonlySet<PageId>>
  /** The titles of the project's pages among these ids. Accepts at most 500 ids. */
  titlesWithin(projectId: ProjectId, ids: readonly PageId[]): Promise<ReadonlyMap<PageId, string>>
  /** Bytes of the content of the project's pages among these ids. Accepts at most 500 ids. */
  contentBytes(projectId: ProjectId, ids: readonly PageId[]): Promise<ReadonlyMap<PageId, number>>
  /** The project's pages among these ids, in any order. Accepts at most 500 ids. */
  findWithin(projectId: ProjectId, ids: readonly PageId[]): Promise<readonly Page[]>
  /** The same as a list shows them. */
  findSummaries(projectId: ProjectId, ids: readonly PageId[]): Promise<readonly PageSummary[]>
  /** The same with the beginning of each text, which holds its front matter. */
  findBeginnings(projectId: ProjectId, ids: readonly PageId[]): Promise<readonly Page[]>
  /** Pages whose slug or subroute the alphabet `standard` does not allow, oldest first, at most `limit`. */
  needingWide(
    projectId: ProjectId,
    limit: number,
  ): Promise<Pick<Listed<Pick<Page, 'id' | 'subroute' | 'slug'>>, 'items' | 'total'>>
  /** The live page at each of these paths. */
  liveAt(projectId: ProjectId, paths: readonly string[]): Promise<ReadonlyMap<string, PageId>>
  /** Pages whose content may name redirects, oldest first, at most `limit`. */
  idsNamingRedirects(projectId: ProjectId, limit: number): Promise<readonly PageId[]>
  /** The redirects that the site has, by key, at most `limit`. */
  liveRedirects(
    projectId: ProjectId,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly path: string; readonly pageId: PageId }[]>
  /** The first of these keys at which the site has an object; null for none. */
  firstObject(projectId: ProjectId, keys: readonly string[]): Promise<string | null>
  /** The keys among these at which the site has a document or a file, redirects left out. */
  documentsAt(projectId: ProjectId, keys: readonly string[]): Promise<ReadonlySet<string>>
  /** The digests with which the live ones among these pages were published. */
  liveDigests(ids: readonly PageId[]): Promise<ReadonlyMap<PageId, LiveDigests>>
}

import type { PageId, ProjectId, RedirectId } from '../../domain/ids.ts'
import type { LiveRedirect } from '../../domain/site-redirect.ts'
import type { FormerAddress } from './live-state.ts'

/** Redirects of a project without a page. Implemented by `db/ledger/redirect-rows.ts`. */
export interface RedirectRows {
  /** All of a project, by path. */
  list(projectId: ProjectId): Promise<readonly LiveRedirect[]>
  /** Paths of the live pages among these. */
  pathsOf(pages: readonly PageId[]): Promise<ReadonlyMap<PageId, string>>
  /** Ids of former paths among these, with their pages. */
  formersOf(
    projectId: ProjectId,
    ids: readonly RedirectId[],
  ): Promise<readonly Pick<FormerAddress, 'path' | 'pageId'>[]>
  /** Sizes in bytes of the existing objects at these keys. */
  sizesOf(projectId: ProjectId, keys: readonly string[]): Promise<ReadonlyMap<string, number>>
}

import type { PageId, ProjectId, RedirectId } from '../../domain/ids.ts'
import type { LiveRedirect } from '../../domain/site-redirect.ts'
import type { FormerAddress } from './live-state.ts'

/** The redirects of a project that belong to no page. Implemented by `db/ledger/redirect-rows.ts`. */
export interface RedirectRows {
  /** All of a project, by path. */
  list(projectId: ProjectId): Promise<readonly LiveRedirect[]>
  /** The paths of those of these pages that are live. */
  pathsOf(pages: readonly PageId[]): Promise<ReadonlyMap<PageId, string>>
  /** Those of these ids that are paths which pages had before, with their pages. */
  formersOf(
    projectId: ProjectId,
    ids: readonly RedirectId[],
  ): Promise<readonly Pick<FormerAddress, 'path' | 'pageId'>[]>
  /** Sizes in bytes of the objects that exist at these keys. */
  sizesOf(projectId: ProjectId, keys: readonly string[]): Promise<ReadonlyMap<string, number>>
}

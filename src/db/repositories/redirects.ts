import type { Owner } from '../../domain/artifact.ts'
import type { PageId, ProjectId, RedirectId } from '../../domain/ids.ts'
import type { LiveRedirect, RedirectEnd } from '../../domain/site-redirect.ts'
import type { FormerAddress } from '../../publish/ledger/live-state.ts'

/** A redirect of a project with what is at its target, or was when there last was something. */
export type ListedRedirect = LiveRedirect & { readonly targetKind: RedirectEnd['kind'] }

/** A path at which a page was live before. */
export interface StoredFormer extends FormerAddress {
  readonly id: RedirectId
  /** When the page last left it, ISO 8601 UTC. */
  readonly leftAt: string
}

/** Redirects of projects that belong to no page. Releases write them (`db/ledger/redirect-rows.ts`). */
export interface RedirectRepository {
  find(projectId: ProjectId, id: RedirectId): Promise<ListedRedirect | null>
  /** All of a project, by path. */
  list(projectId: ProjectId): Promise<readonly ListedRedirect[]>
  /** Paths that pages of a project had before they moved, by path, at most `limit`. */
  formers(projectId: ProjectId, limit: number): Promise<readonly StoredFormer[]>
  findFormer(projectId: ProjectId, id: RedirectId): Promise<RedirectId | null>
  /** Paths at which a page was or is live. */
  addressesOf(pageId: PageId): Promise<readonly string[]>
  /** Owners of the objects that the site has at these keys. */
  ownersAt(projectId: ProjectId, keys: readonly string[]): Promise<ReadonlyMap<string, Owner>>
  /** The target of the redirect at a key; null when there is no redirect. */
  publicAt(projectId: ProjectId, key: string): Promise<PublicRedirect | null>
}

/** A redirect as visitors get it: of a page, to the path at which it is live, or of the site. */
export type PublicRedirect = { readonly kind: 'of page'; readonly path: string } | RedirectEnd

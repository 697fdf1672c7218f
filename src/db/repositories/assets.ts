import type { Asset } from '../../domain/asset.ts'
import type { AssetId, PageId, ProjectId } from '../../domain/ids.ts'
import type { MediaSource } from '../../domain/media.ts'
import type { AssetKind } from '../../domain/media-type.ts'
import type { Page } from '../../domain/page.ts'
import type { Listed, Paging } from '../../domain/paging.ts'
import type { Settings } from '../../domain/settings.ts'

export interface AssetFilter {
  readonly projectId: ProjectId
  readonly kind: AssetKind | null
  /** A part of the name, or a pattern in which `*` matches any characters. ASCII letters match in either case. */
  readonly name: string | null
  /** Only assets that no page names, except for these names; null for all. */
  readonly unusedBut: readonly string[] | null
  /** Exclusive bound. */
  readonly updatedAfter?: string | null
}

export type AssetSort = 'created_at' | 'updated_at' | 'name' | 'bytes'

/** A page that names an asset in its draft, its live version, or both. */
export type NamingPage = Pick<Page, 'id' | 'title' | 'subroute' | 'slug'> & {
  /** True if the page as it is now names it. */
  readonly draft: boolean
  /** True if the page as it is live names it. */
  readonly live: boolean
}

export interface AssetRepository {
  /** @throws {ServiceError} `conflict` when the name is taken in the project. */
  insert(asset: Asset): Promise<void>
  find(id: AssetId): Promise<Asset | null>
  findByName(projectId: ProjectId, name: string): Promise<Asset | null>
  /** The project's assets among these ids, in any order. Accepts at most 500 ids. */
  findWithin(projectId: ProjectId, ids: readonly AssetId[]): Promise<readonly Asset[]>
  /** The names of the project's assets among these ids. */
  namesWithin(projectId: ProjectId, ids: readonly AssetId[]): Promise<ReadonlyMap<AssetId, string>>
  list(filter: AssetFilter, paging: Paging<AssetSort>): Promise<Listed<Asset>>
  /** Replaces the stored asset. @throws {ServiceError} `conflict` when the name is taken in the project. */
  update(asset: Asset): Promise<void>
  delete(id: AssetId): Promise<void>
  /** The digests among these that an asset of the project has. */
  storedDigests(projectId: ProjectId, digests: readonly string[]): Promise<ReadonlySet<string>>
  /** Numbers of pages, live or not, that name these assets, by name; none of a name that no page has. At most 500 names. */
  pagesNaming(projectId: ProjectId, names: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The pages that name an asset: those live first, then by address; at most `limit`. */
  usage(projectId: ProjectId, name: string, limit: number): Promise<readonly NamingPage[]>
  /** The files that a publish now shows for these names. Names without an asset are left out. */
  published(projectId: ProjectId, names: readonly string[]): Promise<MediaSource>
  /** The names in the live versions of these pages, by page; none of pages that name nothing. */
  liveNames(pages: readonly PageId[]): Promise<ReadonlyMap<PageId, readonly string[]>>
  /** Reports whether a live page names an asset. */
  isShownLive(projectId: ProjectId, name: string): Promise<boolean>
  /** The settings of the last write of the live site, and the settings of its live pages, each once. */
  liveSettings(projectId: ProjectId): Promise<readonly LiveSettings[]>
  /** Live pages that were published with these settings, by path. Sealed ones show nothing of settings. */
  pagesWithSettings(
    projectId: ProjectId,
    digests: readonly string[],
    limit: number,
  ): Promise<readonly NamingPage[]>
}

export interface LiveSettings {
  readonly digest: string
  readonly settings: Settings
  /** True if the documents of the site that are no pages were written with them. */
  readonly isSite: boolean
}

import type { Asset, OriginalId } from '../../domain/asset.ts'
import type { ProjectId, UserId } from '../../domain/ids.ts'
import type { ImageFacts } from '../../domain/image.ts'
import type { StoredVariant } from '../../domain/picture-variants.ts'
import type { NamingPage } from './assets.ts'

/** The bytes of an upload in the media store. */
export interface Original {
  readonly id: OriginalId
  readonly projectId: ProjectId
  /** SHA-256 of the upload, hex. */
  readonly digest: string
  /** Number of stored bytes. */
  readonly bytes: number
}

/**
 * Records of what the media store has. A record exists before its object and until after it, so that nothing is in
 * the store without one. Bytes count for the account while they are stored, and while they are being stored.
 */
export interface OriginalRepository {
  /** An original of the project with this digest that has an asset and is not lost; null for none. */
  findStored(projectId: ProjectId, digest: string): Promise<OriginalId | null>
  /** SHA-256, hex, and size of what is stored of an original with this digest; null for none. */
  findBytes(
    projectId: ProjectId,
    digest: string,
  ): Promise<{ readonly digest: string; readonly bytes: number } | null>
  /** A lost original of the project with these digests; null for none. */
  findLost(projectId: ProjectId, digest: string, storedDigest: string): Promise<OriginalId | null>
  isLost(id: OriginalId): Promise<boolean>
  /** An original with these stored bytes, or with a variant that has them; null for none. */
  findByBytes(projectId: ProjectId, digest: string): Promise<OriginalId | null>
  /** All originals of a project. */
  ofProject(projectId: ProjectId): Promise<readonly OriginalRecord[]>
  /** Records whether the media store has lost the bytes. The assets that have the original say so. */
  setLost(id: OriginalId, isLost: boolean): Promise<void>
  /** Assets and live pages that show an original: by their names in pages and settings, as they were published. */
  shownBy(id: OriginalId, limit: number): Promise<OriginalUse>
  /**
   * Records an object that is about to be written.
   *
   * @param original.storedDigest SHA-256 of the stored bytes, hex.
   * @param dueAt when it may be removed, if no asset has it by then.
   */
  insertStoring(original: Original & { readonly storedDigest: string }, dueAt: string): Promise<void>
  /** Call it in the transaction that gives it to an asset: its bytes are stored. False when it may have been removed already. */
  markStored(id: OriginalId): Promise<boolean>
  /**
   * Marks an original for removal, unless an asset has it, or a release or the live site shows it.
   *
   * @param dueAt when it may be removed.
   * @returns whether it is marked now, so that no asset can get it any more.
   */
  release(id: OriginalId, dueAt: string): Promise<boolean>
  /** Originals to remove now, which nothing needs any more, at most `limit`. */
  due(now: string, limit: number): Promise<readonly Original[]>
  /**
   * Deletes the records of an original that is marked for removal and of its variants. Call it when their objects are
   * deleted.
   */
  delete(id: OriginalId): Promise<void>
}

export interface OriginalRecord extends Original {
  /** SHA-256 of the stored bytes, hex. */
  readonly storedDigest: string
  readonly state: 'storing' | 'stored' | 'removing'
  readonly isLost: boolean
}

export interface OriginalUse {
  readonly assets: readonly Pick<Asset, 'id' | 'name'>[]
  readonly pages: readonly Pick<NamingPage, 'id' | 'subroute' | 'slug'>[]
  readonly totalPages: number
  /** True if documents of the site that are no pages show it, by the settings. */
  readonly inSite: boolean
}

/** Records of the variants that the media store has of originals. They go with their original. */
export interface VariantRepository {
  /** The variants that pages get of these originals, by format, then width; none of originals without any. */
  of(originals: readonly OriginalId[]): Promise<ReadonlyMap<OriginalId, readonly StoredVariant[]>>
  /**
   * Returns variants like `of`, with those of other recipes: earlier releases show them, and those of a new one are not
   * complete.
   */
  allOf(originals: readonly OriginalId[]): Promise<ReadonlyMap<OriginalId, readonly StoredVariant[]>>
  /** Outcome of the request for variants of an original; null when there was none. */
  status(original: OriginalId): Promise<VariantStatus | null>
  /** Records it for the original and for all of its assets. Null: nothing is requested, and the assets are ready. */
  setStatus(original: OriginalId, status: VariantStatus | null): Promise<void>
  /**
   * Records that variants of this recipe were requested. Pages get them from the first one on if there are no others.
   *
   * @returns false if they were requested before.
   */
  setRequested(original: OriginalId, recipe: number): Promise<boolean>
  /** Gives pages the variants of this recipe from now on. */
  show(original: OriginalId, recipe: number, now: string): Promise<void>
  /**
   * Originals of assets of an account whose variants were never requested, or were with an earlier recipe, in any
   * order. Originals of files are included, lost ones are left out.
   */
  unrequested(userId: UserId, recipe: number, limit: number): Promise<readonly UnrequestedOriginal[]>
  /**
   * Variants that no page gets any more, because a later recipe replaced them. Neither the site nor a release in the
   * history shows them, nor may an unfinished one.
   *
   * @param before when they were replaced, at the latest.
   * @param after the last original of the previous call; null for the first one.
   * @returns those of at most `limit` originals, and the last of these; null when there are no more.
   */
  replacedOf(before: string, after: OriginalId | null, limit: number): Promise<ReplacedVariants>
  /** Deletes the records of variants that are not in the media store any more. */
  deleteReplaced(variants: ReplacedVariants['variants']): Promise<void>
  /** Completes what the assets of an original say about it. */
  setColours(original: OriginalId, facts: Pick<ImageFacts, 'colour' | 'thumbhash'>): Promise<void>
  /** SHA-256 of the stored bytes of an original, hex; null when it is being removed. */
  storedDigest(original: OriginalId): Promise<string | null>
  /**
   * Records a variant that was stored. False when its original is being removed.
   *
   * @param now since when pages get it, unless they get one of an earlier recipe; null for one that they had before.
   */
  insert(original: OriginalId, variant: StoredVariant, now: string | null): Promise<boolean>
  /** Originals with these digests of their stored bytes, of which variants are still being derived. */
  processing(projectId: ProjectId, storedDigests: readonly string[]): Promise<readonly OriginalId[]>
}

export interface ReplacedVariants {
  readonly variants: readonly (Pick<StoredVariant, 'width' | 'format' | 'recipe'> & {
    readonly projectId: ProjectId
    readonly original: Pick<Original, 'id' | 'digest'>
  })[]
  readonly last: OriginalId | null
}

export interface UnrequestedOriginal extends Pick<Asset, 'originalId' | 'projectId' | 'digest' | 'image'> {
  /** Status of its variants; null where none were requested. */
  readonly status: Asset['status'] | null
}

export type VariantStatus = Pick<Asset, 'status' | 'failure'>

import type { CollectionQuery } from './collection.ts'
import type { IncludedPage } from './live-page.ts'

/** Why publishing a live page again would change it. */
export const STALE_REASONS = [
  'content',
  'settings',
  'theme',
  'nav',
  'collection',
  'hosting',
  'media',
] as const
export type StaleReason = (typeof STALE_REASONS)[number]

/** Digests of all inputs of a live page, for comparison with the current ones. */
export interface LiveDigests {
  /** The path. A changed path is part of `content`. */
  readonly path: string
  readonly content: string
  /** The pages whose texts it includes, in their order; absent for none. */
  readonly includes?: readonly Pick<IncludedPage, 'id' | 'digest'>[]
  readonly settings: string
  /** The page's own theme; null if it follows the project's. */
  readonly ownTheme: string | null
  readonly theme: string
  /** Digest of the navigation that a docs page shows; null for other types. */
  readonly nav: string | null
  /** The queries of its `posts` sections and a digest of the results; null for a page without such sections. */
  readonly collection: { readonly queries: readonly CollectionQuery[]; readonly digest: string } | null
  /** Digest of the articles that an article leads to; null for none. Absent in rows of older versions. */
  readonly neighbours?: string | null
  /**
   * Digest of its translations, its paths in other versions, and the targets of the links around it; absent for none.
   */
  readonly translations?: string
  /** Digest of the images and files that the page and its settings name; absent for none. */
  readonly media?: string
  /**
   * Key of the social image, null for one that was not created in time; absent for none. Its inputs have digests of
   * their own.
   */
  readonly social?: string | null
  /** Keys of the icons that were derived from an image; absent for none. The image has a digest of its own. */
  readonly icons?: string
  readonly hosting: string
}

/** The reasons that apply, in their documented order. */
export function staleReasons(live: LiveDigests, now: LiveDigests): readonly StaleReason[] {
  const differs: Readonly<Record<StaleReason, boolean>> = {
    content: live.content !== now.content || !isSameIncludes(live.includes, now.includes),
    settings: live.settings !== now.settings,
    theme: live.theme !== now.theme,
    nav: live.nav !== now.nav || live.translations !== now.translations,
    collection:
      live.collection?.digest !== now.collection?.digest ||
      (live.neighbours ?? null) !== (now.neighbours ?? null),
    hosting: live.hosting !== now.hosting,
    media: live.media !== now.media || live.social === null,
  }
  return STALE_REASONS.filter((reason) => differs[reason])
}

type Includes = LiveDigests['includes']

function isSameIncludes(live: Includes = [], now: Includes = []): boolean {
  return live.length === now.length && live.every(({ digest }, index) => digest === now[index]?.digest)
}

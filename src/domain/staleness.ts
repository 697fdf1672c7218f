import type { CollectionQuery } from './collection.ts'

/** Why publishing a live page again would change it. */
export const STALE_REASONS = ['content', 'settings', 'theme', 'nav', 'collection', 'hosting'] as const
export type StaleReason = (typeof STALE_REASONS)[number]

/** What a page went live with, in digests; compared with what it would go live with now. */
export interface LiveDigests {
  /** Where it lies; no reason of its own. */
  readonly path: string
  readonly content: string
  readonly settings: string
  /** Null: the page follows the project's theme. */
  readonly ownTheme: string | null
  readonly theme: string
  /** What a docs page shows of its neighbours; null for the other types. */
  readonly nav: string | null
  /** What it shows of other pages; null for a page without `posts` sections. */
  readonly collection: { readonly queries: readonly CollectionQuery[]; readonly digest: string } | null
  readonly hosting: string
}

/** The reasons that hold, in their documented order. */
export function staleReasons(live: LiveDigests, now: LiveDigests): readonly StaleReason[] {
  const differs: Readonly<Record<StaleReason, boolean>> = {
    content: live.content !== now.content,
    settings: live.settings !== now.settings,
    theme: live.theme !== now.theme,
    nav: live.nav !== now.nav,
    collection: live.collection?.digest !== now.collection?.digest,
    hosting: live.hosting !== now.hosting,
  }
  return STALE_REASONS.filter((reason) => differs[reason])
}

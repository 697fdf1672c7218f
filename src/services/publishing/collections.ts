import { type CollectionQuery, collect } from '../../domain/collection.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import type { Collections } from '../../domain/live-page.ts'
import type { LiveState } from '../../publish/ledger/live-state.ts'

/** Evaluates the queries of a page against the live pages. */
export async function collectionsNow(
  projectId: ProjectId,
  queries: readonly CollectionQuery[],
  self: PageId,
  liveState: Pick<LiveState, 'cards'>,
): Promise<Collections> {
  const found = queries.map(async (query) => {
    const cards = await liveState.cards(projectId, query.type)
    return [query.section, collect(cards, query, self)] as const
  })
  return new Map(await Promise.all(found))
}

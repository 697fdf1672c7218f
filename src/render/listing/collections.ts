import type { CollectionQuery } from '../../domain/collection.ts'
import type { Snapshot } from '../../domain/live-page.ts'
import { sectionsOf } from '../../domain/page.ts'
import { collectionQueries } from '../../sections/collection-query.ts'

/** Queries of the page's `posts` sections. */
export function queriesOf({ page, site }: Pick<Snapshot, 'page' | 'site'>): readonly CollectionQuery[] {
  return collectionQueries(sectionsOf(page), site.hostingMode === 'data_mode')
}

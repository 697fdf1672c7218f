import type { ProjectId } from '../../domain/ids.ts'
import { listedArticles } from '../../domain/listed-articles.ts'
import { listingPath } from '../../domain/listing.ts'
import type { LiveCard } from '../../domain/live-page.ts'
import type { LiveState } from '../ledger/live-state.ts'

/** Paths among these with a live page or the list of a blog. */
export async function existingPaths(
  projectId: ProjectId,
  wanted: readonly string[],
  liveState: Pick<LiveState, 'pagesAt' | 'cards'>,
): Promise<ReadonlySet<string>> {
  if (wanted.length === 0) return NO_PATHS
  const pages = await liveState.pagesAt(projectId, wanted)
  const found = new Set(pages.map(({ path }) => path))
  if (wanted.every((path) => found.has(path))) return found
  return new Set([...found, ...listPaths(await liveState.cards(projectId, 'article'))])
}

const NO_PATHS: ReadonlySet<string> = new Set()

/** The front pages of blogs. */
export function listPaths(cards: readonly LiveCard[]): readonly string[] {
  return [...listedArticles(cards).byBlog.keys()].map((folder) => listingPath(folder, null))
}

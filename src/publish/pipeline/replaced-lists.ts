import type { PageWarning } from '../../domain/diagnostic.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { type ListedArticles, listedArticles } from '../../domain/listed-articles.ts'
import { isTagFolder, tagName } from '../../domain/tag-list.ts'
import type { LiveState } from '../ledger/live-state.ts'
import type { RenderedRelease } from './live-page-row.ts'
import { mergeFacts } from './merge-facts.ts'

/** Adds a warning to pages whose addresses are those of lists of tags. */
export async function withReplacedListWarnings(
  projectId: ProjectId,
  pages: readonly RenderedRelease[],
  liveState: Pick<LiveState, 'cards'>,
): Promise<readonly RenderedRelease[]> {
  if (!pages.some(({ facts }) => mayReplaceList(facts.path))) return pages
  const ids = new Set(pages.map(({ facts }) => facts.id))
  const articles = pages.map(({ card }) => card).filter(({ type }) => type === 'article')
  const listed = listedArticles(mergeFacts(await liveState.cards(projectId, 'article'), ids, articles))
  return pages.map((page) => {
    const { facts, placed, rendered } = page
    const warning = placed.site.hostingMode === 'data_mode' ? null : replacedListWarning(facts.path, listed)
    if (warning === null) return page
    return { ...page, rendered: { ...rendered, warnings: [...rendered.warnings, warning] } }
  })
}

/** Whether a page at this path would have the address of a list, if articles had the tag. */
export function mayReplaceList(path: string): boolean {
  return isTagFolder(path.slice(1))
}

/** The warning for a page at this path; null if no tag of the articles has its list there. */
export function replacedListWarning(path: string, { byFolder }: ListedArticles): PageWarning | null {
  const folder = path.slice(1)
  const cards = mayReplaceList(path) ? byFolder.get(folder) : undefined
  if (cards === undefined) return null
  const name = JSON.stringify(tagName(cards, folder))
  return {
    code: 'QN-REPLACED-LIST',
    at: null,
    message: `The page is at ${path}, where the articles with the tag ${name} would be listed. Their list and its feed are not written. Move the page to keep them.`,
  }
}

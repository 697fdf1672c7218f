import type { PageWarning } from '../../domain/diagnostic.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { type ListedArticles, listedArticles } from '../../domain/listed-articles.ts'
import { isAuthorFolder } from '../../domain/site-author.ts'
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

/** Reports whether the path is the address of a possible list of a tag or an author. */
export function mayReplaceList(path: string): boolean {
  const folder = path.slice(1)
  return isTagFolder(folder) || isAuthorFolder(folder)
}

/** Warning for a page at this path; null if no tag or author of articles has a list there. */
export function replacedListWarning(path: string, { byFolder }: ListedArticles): PageWarning | null {
  const folder = path.slice(1)
  const cards = mayReplaceList(path) ? byFolder.get(folder) : undefined
  if (cards === undefined) return null
  const tag = JSON.stringify(tagName(cards, folder))
  const author = JSON.stringify(cards[0]?.byline?.name)
  const message = isAuthorFolder(folder)
    ? `The page is at ${path}, where the articles by ${author} would be listed. Their list and its feed are not written. Move the page to keep them.`
    : `The page is at ${path}, where the articles with the tag ${tag} would be listed. Their list and its feed are not written. Move the page to keep them.`
  return { code: 'QN-REPLACED-LIST', at: null, message }
}

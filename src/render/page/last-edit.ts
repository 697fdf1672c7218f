import type { LivePage } from '../../domain/live-page.ts'
import { type Page, readDate } from '../../domain/page.ts'
import { type FrontMatter, splitFrontMatter } from '../../page-text/front-matter.ts'

/** When its author says that the text was last edited, as it is written; undefined where nothing is said. */
export function writtenLastEdit(
  { type, config }: Page,
  { frontMatter }: Pick<FrontMatter, 'frontMatter'>,
): unknown {
  if (type !== 'article' && type !== 'docs') return undefined
  return config['last_updated'] ?? frontMatter['last_updated']
}

/** What machines are told of the last edit: what is said of it, else when Quoin saw it. ISO 8601 UTC. */
export function lastEdit({ page }: Pick<LivePage, 'page'>): string {
  const written = writtenLastEdit(page, splitFrontMatter(page.markdown))
  return readDate(written) ?? page.updatedAt
}

import { readLocalDate } from '../../domain/date.ts'
import type { LivePage } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import { type FrontMatter, splitFrontMatter } from '../../page-text/front-matter.ts'

/** Date of the last edit as the author wrote it; undefined when there is none. */
export function rawLastEdit(
  { type, config }: Page,
  { frontMatter }: Pick<FrontMatter, 'frontMatter'>,
): unknown {
  if (type !== 'article' && type !== 'docs') return undefined
  return config['last_updated'] ?? frontMatter['last_updated']
}

/** Date of the last edit that the author wrote, with its offset, ISO 8601; null when there is none. */
export function writtenLastEdit({ page }: Pick<LivePage, 'page'>): string | null {
  return readLocalDate(rawLastEdit(page, splitFrontMatter(page.markdown)))
}

/** Date of the last edit for sitemaps and feeds: the author's with its offset, else the stored one. ISO 8601. */
export function lastEdit(live: Pick<LivePage, 'page'>): string {
  return writtenLastEdit(live) ?? live.page.updatedAt
}

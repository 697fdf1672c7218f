import type { Artifact } from '../../domain/artifact.ts'
import type { PlacedPage } from '../../domain/live-page.ts'
import { type Addressed, publicPath, urlPath } from '../../domain/route.ts'
import type { Settings } from '../../domain/settings.ts'
import { humanise } from '../../page-text/humanise.ts'
import type { Site } from '../page/head-view.ts'
import { twinKey } from '../page/markdown-twin.ts'
import { truncateText } from '../page/truncate-text.ts'
import { siteFile } from './site-file.ts'

const MAX_DESCRIPTION = 200

/** A page's line of `llms.txt` and the subroute it is grouped under. Null for an unlisted page. */
export interface LlmsLine extends Addressed {
  readonly llms: string | null
}

/** A link to the page's Markdown, with its description. */
export function llmsLine({ page, path, site }: PlacedPage): string {
  const url = `${site.origin}/${urlPath(twinKey(path))}`
  const about = truncateText(page.description, MAX_DESCRIPTION)
  return `- [${linkText(page.title)}](${url})${about === '' ? '' : `: ${about}`}`
}

/**
 * `llms.txt`: the pages of a site as Markdown links, for language models. Source: https://llmstxt.org
 *
 * @param lines sorted by subroute.
 * @param docsOrder paths of docs pages as the sidebars show them.
 */
export function llmsText(
  { site, settings }: Site,
  lines: readonly LlmsLine[],
  docsOrder: readonly string[],
): Artifact {
  const about = truncateText(settings.metaDescription ?? '', MAX_DESCRIPTION)
  const text = [`# ${truncateText(settings.metaTitle ?? site.name, MAX_DESCRIPTION)}\n`]
  if (about !== '') text.push(`\n> ${about}\n`)
  let group: string | null = null
  for (const { subroute, llms } of inReadingOrder(lines, docsOrder, settings)) {
    if (llms === null) continue
    if (subroute !== group) text.push(`\n## ${groupTitle(subroute)}\n\n`)
    text.push(llms, '\n')
    group = subroute
  }
  return siteFile('llms.txt', { lines: text })
}

/** Pages of the root, then docs pages as the sidebars show them, by the first page of each subroute, then others. */
function inReadingOrder(
  lines: readonly LlmsLine[],
  docsOrder: readonly string[],
  { siteRoutes }: Pick<Settings, 'siteRoutes'>,
): readonly LlmsLine[] {
  if (docsOrder.length === 0) return lines
  const ranks = new Map(docsOrder.map((path, rank) => [path, rank]))
  const last = docsOrder.length
  const rankOf = (line: LlmsLine) => ranks.get(publicPath(line, siteRoutes)) ?? last
  const groups = new Map([['', -1]])
  for (const line of lines)
    groups.set(line.subroute, Math.min(groups.get(line.subroute) ?? last, rankOf(line)))
  const groupRankOf = ({ subroute }: LlmsLine) => groups.get(subroute) ?? last
  return [...lines].sort((one, other) => groupRankOf(one) - groupRankOf(other) || rankOf(one) - rankOf(other))
}

function groupTitle(subroute: string): string {
  return subroute === '' ? 'Pages' : subroute.split('/').map(humanise).join(' / ')
}

function linkText(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[\\[\]]/g, '\\$&')
}

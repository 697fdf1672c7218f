import type { Artifact } from '../../domain/artifact.ts'
import type { PlacedPage } from '../../domain/live-page.ts'
import { type Addressed, decodedPath, publicPath, urlPath } from '../../domain/route.ts'
import type { Settings } from '../../domain/settings.ts'
import { humanise } from '../../page-text/humanise.ts'
import type { Site } from '../page/head-view.ts'
import { twinKey } from '../page/markdown-twin.ts'
import { textBytes } from '../page/text-bytes.ts'
import { truncateText } from '../page/truncate-text.ts'
import { siteFile } from './site-file.ts'

export const LLMS = 'llms.txt'
/** The Markdown of all pages in one file. */
export const LLMS_FULL = 'llms-full.txt'

/** Larger sites have no file of their whole text: no language model reads as much at once. */
const MAX_FULL_PAGES = 300
export const MAX_FULL_BYTES = 4 * 2 ** 20

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
  if (settings.mcp === 'read')
    text.push(`\nAgents can search and read this site over the Model Context Protocol: ${site.origin}/mcp\n`)
  let group: string | null = null
  for (const { subroute, llms } of inReadingOrder(lines, docsOrder, settings)) {
    if (llms === null) continue
    if (subroute !== group) text.push(`\n## ${groupTitle(subroute)}\n\n`)
    text.push(llms, '\n')
    group = subroute
  }
  text.push(...skillLines(site))
  return siteFile(LLMS, { lines: text })
}

function skillLines({ origin, skills = [] }: Site['site']): readonly string[] {
  if (skills.length === 0) return []
  const lines = skills.map(({ name, description, path }) => {
    const about = truncateText(description, MAX_DESCRIPTION)
    return `- [${name}](${origin}/${urlPath(path)}): ${about}\n`
  })
  return ['\n## Agent skills\n\n', ...lines]
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
  const ranked = lines.map((line) => ({ line, rank: ranks.get(publicPath(line, siteRoutes)) ?? last }))
  const groups = new Map([['', -1]])
  for (const { line, rank } of ranked)
    groups.set(line.subroute, Math.min(groups.get(line.subroute) ?? last, rank))
  const groupRankOf = ({ line }: { readonly line: LlmsLine }) => groups.get(line.subroute) ?? last
  return ranked
    .toSorted((one, other) => groupRankOf(one) - groupRankOf(other) || one.rank - other.rank)
    .map(({ line }) => line)
}

function groupTitle(subroute: string): string {
  return subroute === '' ? 'Pages' : subroute.split('/').map(humanise).join(' / ')
}

function linkText(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[\\[\]]/g, '\\$&')
}

/** The other links lead to agent skills. */
const TWIN = /(^|\/)index\.md$/
const LINK = /^- \[(?:[^\\\]]|\\.)*\]\(([^\s)]+)\)/

/**
 * Keys of the Markdown that `llms-full.txt` joins, in the order of `llms.txt`. None for a site with too many pages.
 *
 * @param index the text of `llms.txt`.
 */
export function fullTextKeys(index: string, origin: string): readonly string[] {
  const start = `${origin}/`
  const keys = index.split('\n').flatMap((line) => {
    const [, url = ''] = LINK.exec(line) ?? []
    const key = url.startsWith(start) ? decodedPath(url.slice(start.length)) : null
    return key !== null && TWIN.test(key) ? [key] : []
  })
  return keys.length > MAX_FULL_PAGES ? [] : keys
}

/**
 * `llms-full.txt`: the Markdown of all pages. It belongs to the search index, which is built from all pages too, and
 * after them.
 *
 * @param texts read one after the other, and no more than the file may have.
 * @returns null for a site without pages, or with too much text.
 */
export function fullText(index: string, texts: Iterable<Uint8Array>): Artifact | null {
  const [head = ''] = index.split('\n## ')
  const parts = [head]
  let bytes = 0
  for (const text of texts) {
    bytes += text.byteLength
    if (bytes > MAX_FULL_BYTES) return null
    parts.push(Buffer.from(text).toString())
  }
  if (parts.length === 1) return null
  const body = textBytes(parts.map((part) => `${part.trim()}\n`).join('\n'))
  return { key: LLMS_FULL, stage: 'index', body, owner: { kind: 'search', id: '' } }
}

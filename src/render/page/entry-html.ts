import { entryAnchor } from '../../domain/changelog.ts'
import { listingFolder } from '../../domain/listing.ts'
import type { CardEntry, LivePage } from '../../domain/live-page.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { pathFolder, urlPath } from '../../domain/route.ts'
import { splitFrontMatter } from '../../page-text/front-matter.ts'
import { type Links, linkPrefix, prefixedLinks } from '../links/links.ts'
import { createRendering, LAYOUT_IDS, type RenderingTools } from './rendering.ts'

/** Longer entries are in their list without their text, because a page of it has up to 24 of them. In bytes. */
const MAX_ENTRY_HTML = 32 * 1024
/** In UTF-16 code units: the HTML of a longer source is almost never short enough. */
const MAX_ENTRY_SOURCE = 2 * MAX_ENTRY_HTML

/** Stands for the top of the site in stored texts, because the pages of a list are at different depths. */
const TOP = 'https://top-of-the-site.invalid/'

/** The part of an entry that is rendered with its page. */
export type EntryText = Pick<CardEntry, 'html' | 'frames'>

/**
 * The text of an entry for the pages of its changelog. Its headings are below the entry's heading, and its ids begin
 * with the id of the entry. `withTop` completes its links.
 *
 * @param finish gives images and videos their files.
 */
export function entryHtml(
  live: LivePage,
  tools: RenderingTools,
  finish: (html: string, links: Links) => string,
): EntryText {
  const { page, path, media } = live
  if (page.markdown.length > MAX_ENTRY_SOURCE) return { html: null }
  const here = TOP + urlPath(pathFolder(path))
  const links = prefixedLinks({ pages: TOP, files: TOP }, media)
  const resolve = (url: string) => parseUrl(url, here)?.href ?? url
  const { html, frames } = createRendering(links, { ...tools, resolve }).markdown(
    splitFrontMatter(page.markdown).body,
    'markdown_content',
    { title: page.title, headingShift: 1, idPrefix: `${entryId(path, listingFolder(live) ?? '')}:` },
  )
  const finished = finish(html, links).toWellFormed()
  if (Buffer.byteLength(finished) > MAX_ENTRY_HTML) return { html: null }
  return { html: finished, ...(frames.length > 0 && { frames }) }
}

/** The id of an entry in the documents of its list. @param folder of the list. */
export function entryId(path: string, folder: string): string {
  return entryAnchor(path, folder, LAYOUT_IDS)
}

/** Returns the text with its links to the site relative to `top`: a prefix, or the links of a document. */
export function withTop(html: string, top: string | Links): string {
  const prefix = typeof top === 'string' ? top : linkPrefix(top) || './'
  return html.replaceAll(TOP, () => prefix)
}

import { decodedPath } from '../../domain/route.ts'
import type { PageLosses } from '../comparison/compare.ts'
import { missingFrom } from '../comparison/missing-from.ts'
import { type HtmlMeasure, measureHtml } from '../html/measure-html.ts'
import type { SiteLinks } from './site-links.ts'

/** Renders Markdown as the page of an article shows it, without the layout around. */
export type RenderText = (markdown: string) => string

export interface EntryComparison {
  readonly before: HtmlMeasure
  readonly missing: Omit<PageLosses, 'source' | 'file'> & { readonly headings: readonly string[] }
}

const NOTHING: HtmlMeasure = { words: [], headings: [], links: [], pictures: [], codeBlocks: 0 }

/**
 * Compares the HTML of an entry with what its page shows.
 *
 * @param html with the texts of its footnotes.
 * @param markdown of the new page. Null when there is no page.
 * @returns null for HTML that is too complex to be measured.
 */
export function compareEntry(
  html: string,
  markdown: string | null,
  { addressOf }: Pick<SiteLinks, 'addressOf'>,
  render: RenderText,
): EntryComparison | null {
  const comparable = (address: string, kind: 'link' | 'file') => {
    const known = addressOf(address, kind)
    return known === null ? null : spelling(known)
  }
  const before = measureHtml(html, comparable)
  if (before === null) return null
  const after =
    markdown === null ? NOTHING : (measureHtml(render(markdown), (address) => spelling(address)) ?? NOTHING)
  return {
    before,
    missing: {
      words: missingFrom(before.words, after.words),
      links: missingFrom(before.links, after.links),
      pictures: missingFrom(before.pictures.map(spelling), after.pictures.map(spelling)),
      codeBlocks: Math.max(0, before.codeBlocks - after.codeBlocks),
      headings: missingFrom(before.headings, after.headings),
    },
  }
}

/** One form of the spellings of an address: decoded, and without a slash at the end. */
function spelling(address: string): string {
  return (decodedPath(address) ?? address).replace(/\/(?=$|[?#])/, '').replaceAll('&amp;', '&')
}

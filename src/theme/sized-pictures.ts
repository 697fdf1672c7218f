import type { Labels } from './theme.ts'

/** Images with their attributes. All values are quoted and escaped. */
const IMAGE = /<img((?:\s+[^\s=<>"'/]+(?:="[^"]*")?)*)\s*>/g
const STATED = /\s(?:width|sizes|srcset)="/
/** Maximum distance of a figure's start before its image: the classes of a figure are few. */
const FIGURE_TAG = 200

/**
 * HTML of a Markdown text whose images have the attribute `sizes`. An image with a width of its author keeps it.
 *
 * @param sizes as the attribute of that name.
 * @param labels of the theme, for a link to the whole image around one that stands alone in its paragraph or figure;
 *   null for no links.
 */
export function sizedPictures(html: string, sizes: string, labels: Labels | null = null): string {
  if (!html.includes('<img ')) return html
  return html.replaceAll(IMAGE, (tag, written: string, at: number) => {
    // Text in an attribute can look like an image, but can have no quotes.
    if (!written.includes(' src="')) return tag
    const stated = STATED.test(written) ? '' : ` sizes="${sizes}"`
    const link = labels !== null && standsAlone(html, at, at + tag.length) ? zoomMarks(labels) : ''
    return `<img${stated}${link}${tag.slice('<img'.length)}`
  })
}

function zoomMarks({ viewImage = '', searchClose = '' }: Labels): string {
  return ` data-zoom="${escaped(viewImage)}" data-close="${escaped(searchClose)}"`
}

function standsAlone(html: string, start: number, end: number): boolean {
  if (html.startsWith('</p>', end)) return html.startsWith('<p>', start - '<p>'.length)
  const isInFigure = html.startsWith('<figcaption>', end) || html.startsWith('</figure>', end)
  return isInFigure && /<figure[^<>]*>$/.test(html.slice(Math.max(0, start - FIGURE_TAG), start))
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

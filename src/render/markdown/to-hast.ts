import type { Nodes, Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { descend } from './descend.ts'
import { assertParsable, assertPrintable, assertRenderable, outputLimit } from './limits.ts'
import type { MarkdownParser } from './markdown-parser.ts'
import { hideMarks } from './marks/hide-marks.ts'
import { showMarks } from './marks/show-marks.ts'
import { blockSchema, inlineSchema } from './schema.ts'
import { hasSafeScheme } from './urls.ts'

/** `block` is a page's body; `inline` is one line of it: blocks leave their text, footnotes are left out. */
export type Shape = 'block' | 'inline'

export interface SafeHast {
  /** Nothing in it runs, styles itself or leads to an unsafe scheme. URLs are still the author's. */
  readonly tree: Root
  /** Ids that headings name themselves. */
  readonly headingIds: ReadonlySet<string>
  /** Links and images that lost their URL, in order. */
  readonly droppedUrls: readonly string[]
}

// `schema.ts` puts the prefix before ids, `polish/link.ts` before the links that lead to them.
const noPrefix = { allowDangerousHtml: true, clobberPrefix: '' } as const

const toElements = {
  block: unified().use(remarkRehype, noPrefix).freeze(),
  inline: unified()
    .use(remarkRehype, { ...noPrefix, handlers: { footnoteReference: () => undefined } })
    .freeze(),
}
const readRawHtml = unified().use(rehypeRaw).freeze()
const sanitise = {
  block: unified().use(rehypeSanitize, blockSchema).freeze(),
  inline: unified().use(rehypeSanitize, inlineSchema).freeze(),
}

/**
 * Markdown as safe HTML, still a tree.
 *
 * @throws {ServiceError} `validation_error` if the text is nested too deeply or grows too large.
 */
export function toSafeHast(written: string, shape: Shape, parse: MarkdownParser): SafeHast {
  const limit = outputLimit(written)
  const { source, marks } = hideMarks(written)
  assertParsable(source)
  const mdast = parse(source)
  const { hasHtml } = assertRenderable(mdast, limit)
  const headingIds = showMarks(mdast, marks)

  const elements = toElements[shape].runSync(mdast)
  // Parsing the whole tree anew costs as much as all the rest, so only where there is raw HTML.
  const unsafe = hasHtml ? readRawHtml.runSync(elements) : elements
  assertPrintable(unsafe, limit)

  return {
    tree: sanitise[shape].runSync(unsafe),
    headingIds,
    droppedUrls: unsafeUrls(unsafe),
  }
}

function unsafeUrls(root: Root): string[] {
  const urls: string[] = []
  for (const { node } of descend<Nodes>(root)) {
    if (node.type !== 'element') continue
    const { href, src } = node.properties
    if (node.tagName === 'a' && typeof href === 'string' && !hasSafeScheme(href, 'link')) urls.push(href)
    if (node.tagName === 'img' && typeof src === 'string' && !hasSafeScheme(src, 'image')) urls.push(src)
  }
  return urls
}

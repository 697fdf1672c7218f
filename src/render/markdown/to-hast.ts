import type { Root as HastRoot } from 'hast'
import type { Root as MdastRoot } from 'mdast'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { descend } from './descend.ts'
import { assertParsable, assertPrintable, assertRenderable, outputLimit } from './limits.ts'
import type { MarkdownFault } from './markdown-fault.ts'
import type { MarkdownParser } from './markdown-parser.ts'
import { plainElements, type SafeElements } from './mdast-to-safe-hast.ts'
import { hideMarks } from './placeholders/extract-placeholders.ts'
import { showMarks } from './placeholders/restore-placeholders.ts'
import { type TakenOut, takenOut } from './sanitiser-report.ts'
import { SCHEMAS, type Shape } from './schema.ts'
import { unclosedElements } from './unclosed.ts'

export interface SafeHast extends SafeElements {
  /** Ids that headings name themselves. */
  readonly headingIds: ReadonlySet<string>
  /** Whether all its elements are such as we make ourselves: nothing of raw HTML, no footnotes. */
  readonly isPlain: boolean
  /** Containers that stay text, elements that were taken out, and those that are never closed. */
  readonly faults: readonly MarkdownFault[]
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
  block: unified().use(rehypeSanitize, SCHEMAS.block).freeze(),
  inline: unified().use(rehypeSanitize, SCHEMAS.inline).freeze(),
}

/**
 * Markdown as safe HTML, still a tree.
 *
 * @throws {ServiceError} `validation_error` if the text is nested too deeply or grows too large.
 */
export function toSafeHast(written: string, shape: Shape, parse: MarkdownParser): SafeHast {
  const limit = outputLimit(written)
  const { source, marks, faults } = hideMarks(written)
  assertParsable(source)
  const mdast = parse(source)
  const { hasHtml, definitions } = assertRenderable(mdast, limit)
  const headingIds = showMarks(mdast, marks)

  const plain = hasHtml ? null : plainElements(mdast, shape, definitions)
  if (plain === null) {
    const safe = sanitised(mdast, shape, { hasHtml, limit })
    const unclosed = hasHtml ? unclosedElements(mdast) : []
    return { headingIds, isPlain: false, ...safe, faults: [...faults, ...safe.faults, ...unclosed] }
  }
  assertPrintable(plain.tree, limit)
  return { headingIds, isPlain: true, ...plain, faults }
}

/** Any Markdown as what the sanitiser leaves of its HTML. */
export function sanitised(
  mdast: MdastRoot,
  shape: Shape,
  { hasHtml, limit }: { readonly hasHtml: boolean; readonly limit: number },
): SafeElements & TakenOut {
  const elements = toElements[shape].runSync(mdast)
  // Parsing the whole tree anew costs as much as all the rest, so only where there is raw HTML.
  const unsafe = hasHtml ? readRawHtml.runSync(withLinesSpared(elements)) : elements
  assertPrintable(unsafe, limit)
  return { tree: sanitise[shape].runSync(unsafe), ...takenOut(unsafe) }
}

/** Reading HTML takes the first line end after `<pre>` away, also where it is the author's, in the `<code>` within. */
function withLinesSpared(elements: HastRoot): HastRoot {
  for (const node of descend(elements)) {
    if (node.type !== 'element' || node.tagName !== 'pre') continue
    const [code] = node.children
    const [text] = code?.type === 'element' ? code.children : []
    if (text?.type === 'text' && text.value.startsWith('\n')) text.value = `\n${text.value}`
  }
  return elements
}

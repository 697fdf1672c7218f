import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import type { Heading } from '../../theme/view.ts'
import { enhance } from './enhance/enhance.ts'
import type { EnhanceOptions } from './enhance/enhance-context.ts'
import { assertOutput, outputLimit, withinEngine } from './limits.ts'
import type { MarkdownDiagnostic } from './markdown-diagnostic.ts'
import type { MarkdownParser } from './markdown-parser.ts'
import { markdownParser } from './parser.ts'
import { print } from './print.ts'
import type { Shape } from './schema.ts'
import { toSafeHast } from './to-safe-hast.ts'

export interface MarkdownOptions extends EnhanceOptions {
  /** The parser to use in place of the one this process chose; for tests. */
  readonly parse?: MarkdownParser
}

export interface RenderedMarkdown {
  /** Safe HTML: no script, no style, no URL but those `href` returned. Same input, same bytes. */
  readonly html: string
  /** Headings of the second and third level, in order. */
  readonly toc: readonly Heading[]
  /** Every id in `html`, for links that lead there from elsewhere. */
  readonly ids: readonly string[]
  /** Links to places of the page it stands in, e.g. `#install`: they are not asked for. */
  readonly fragmentLinks: readonly string[]
  /** URLs of links and images that are not in `html`: of an unsafe scheme, or refused by `href`. */
  readonly droppedUrls: readonly string[]
  /** What is not shown as it was meant, URLs apart. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

export type InlineMarkdown = Pick<RenderedMarkdown, 'html' | 'droppedUrls' | 'diagnostics'>

/** Of any HTML; `print` is for our own, which is most of it, and takes a third of the time. */
const printer = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: true } })
  .freeze()

/**
 * Turns the Markdown of a page, its front matter taken off, into HTML.
 *
 * @throws {ServiceError} `validation_error` if it is nested too deeply, or if its HTML would be
 *   longer than 20 times the source and 1 MiB.
 */
export function renderMarkdown(source: string, options: MarkdownOptions): RenderedMarkdown {
  return render(source, 'block', options)
}

/**
 * Turns a short text into HTML that fits on a line: emphasis, links, code and images. Blocks leave
 * their text, footnotes are left out.
 *
 * @throws {ServiceError} as `renderMarkdown`.
 */
export function renderInlineMarkdown(source: string, options: MarkdownOptions): InlineMarkdown {
  const { html, droppedUrls, diagnostics } = render(source, 'inline', options)
  return { html, droppedUrls, diagnostics }
}

function render(source: string, shape: Shape, options: MarkdownOptions): RenderedMarkdown {
  return withinEngine(() => {
    const safe = toSafeHast(source, shape, options.parse ?? markdownParser.parse)
    const { tree, toc, ids, droppedUrls, fragmentLinks, diagnostics } = enhance(safe, options)
    const html = (safe.isFromMdast ? print(tree) : printer.stringify(tree)).trim()
    assertOutput(html, outputLimit(source))
    return {
      html,
      toc,
      ids,
      fragmentLinks,
      droppedUrls: [...safe.droppedUrls, ...droppedUrls],
      diagnostics: [...safe.diagnostics, ...diagnostics],
    }
  })
}

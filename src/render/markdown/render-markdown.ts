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
  /** Safe HTML: no scripts, no styles, no URLs other than those `href` returned. Same input, same bytes. */
  readonly html: string
  /** Headings of levels 2 and 3, in order. */
  readonly toc: readonly Heading[]
  /** Every id in `html`, for links from other pages. */
  readonly ids: readonly string[]
  /** Links within the page, e.g. `#install`. `href` is not called for them. */
  readonly fragmentLinks: readonly string[]
  /** Origins of the pages of other sites that are shown in frames. */
  readonly frames: readonly string[]
  /** URLs of links and images that are not in `html`: their scheme is unsafe or `href` returned null. */
  readonly droppedUrls: readonly string[]
  /** Parts that are not shown as intended, apart from dropped URLs. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

export type InlineMarkdown = Pick<RenderedMarkdown, 'html' | 'droppedUrls' | 'diagnostics'>

/** Prints any HTML. `print` handles the elements built from the syntax tree in a third of the time. */
const printer = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: true } })
  .freeze()

/**
 * Renders the Markdown of a page, without front matter.
 *
 * @throws {ServiceError} `validation_error` when it is nested too deeply, or when its HTML would be longer
 *   than 20 times the source plus 1 MiB.
 */
export function renderMarkdown(source: string, options: MarkdownOptions): RenderedMarkdown {
  return render(source, 'block', options)
}

/**
 * Renders a short text as HTML for one line: emphasis, links, code and images. Blocks are replaced by their
 * content, footnotes are removed.
 *
 * @throws {ServiceError} as `renderMarkdown`.
 */
export function renderInlineMarkdown(source: string, options: MarkdownOptions): InlineMarkdown {
  const { html, droppedUrls, diagnostics } = render(source, 'inline', options)
  return { html, droppedUrls, diagnostics }
}

function render(source: string, shape: Shape, options: MarkdownOptions): RenderedMarkdown {
  return withinEngine(() => {
    const names = options.components?.schemas ?? null
    const safe = toSafeHast(source, shape, options.parse ?? markdownParser.parse, names)
    const { tree, hasComponents, toc, ids, droppedUrls, fragmentLinks, frames, diagnostics } = enhance(safe, {
      ...options,
      ...(shape === 'inline' && { isInline: true }),
    })
    const html = (safe.isFromMdast && !hasComponents ? print(tree) : printer.stringify(tree)).trim()
    assertOutput(html, outputLimit(source))
    return {
      html,
      toc,
      ids,
      fragmentLinks,
      frames,
      droppedUrls: [...safe.droppedUrls, ...droppedUrls],
      diagnostics: [...safe.diagnostics, ...diagnostics],
    }
  })
}

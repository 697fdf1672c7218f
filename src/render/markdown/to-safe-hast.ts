import type { Code, Root as MdastRoot } from 'mdast'
import rehypeSanitize from 'rehype-sanitize'
import remarkRehype, { defaultHandlers } from 'remark-rehype'
import { unified } from 'unified'
import { adaptCjk, hasCjk, separateEmphasis } from './cjk.ts'
import { foreignSyntax } from './foreign-syntax.ts'
import { assertParsable, assertPrintable, assertRenderable, outputLimit } from './limits.ts'
import type { MarkdownDiagnostic } from './markdown-diagnostic.ts'
import type { MarkdownParser } from './markdown-parser.ts'
import { mdastToSafeHast, type SafeElements } from './mdast-to-safe-hast.ts'
import { parseRawHtml } from './parse-raw-html.ts'
import { extractPlaceholders } from './placeholders/extract-placeholders.ts'
import type { ComponentNames } from './placeholders/find-containers.ts'
import { restorePlaceholders } from './placeholders/restore-placeholders.ts'
import { reportRemovals, type SanitiserReport } from './sanitiser-report.ts'
import { SCHEMAS, type Shape } from './schema.ts'
import { unclosedElements } from './unclosed-elements.ts'

export interface SafeHast extends SafeElements {
  /** Ids that headings set themselves. */
  readonly explicitIds: ReadonlySet<string>
  /** True when `mdastToSafeHast` built the tree: it holds no raw HTML and no footnotes. */
  readonly isFromMdast: boolean
  /** Diagnostics of containers that stay text, syntax of other tools, and removed or unclosed elements. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

/** Gives code no class for a language that is a blank, as `&#32;` after a fence. */
const code: typeof defaultHandlers.code = (state, node: Code) =>
  defaultHandlers.code(state, /^\s/.test(node.lang ?? '') ? { ...node, lang: null } : node)

// `schema.ts` prefixes ids, `enhance/link.ts` the links to them.
const options = { allowDangerousHtml: true, clobberPrefix: '', handlers: { code } } as const

const toHast = {
  block: unified().use(remarkRehype, options).freeze(),
  inline: unified()
    .use(remarkRehype, { ...options, handlers: { code, footnoteReference: () => undefined } })
    .freeze(),
}
const sanitisers = {
  block: unified().use(rehypeSanitize, SCHEMAS.block).freeze(),
  inline: unified().use(rehypeSanitize, SCHEMAS.inline).freeze(),
}

/**
 * Turns Markdown into a tree of safe HTML.
 *
 * @param components names of components of the theme; null to leave directives of unknown names as text.
 * @throws {ServiceError} `validation_error` when the text is nested too deeply or grows too large.
 */
export function toSafeHast(
  written: string,
  shape: Shape,
  parse: MarkdownParser,
  components: ComponentNames | null = null,
): SafeHast {
  const limit = outputLimit(written)
  const { source, placeholders, diagnostics: unopened } = extractPlaceholders(written, components)
  assertParsable(source)
  const isCjk = hasCjk(source)
  const mdast = parse(isCjk ? separateEmphasis(source) : source)
  const { hasHtml, definitions } = assertRenderable(mdast, limit)
  if (isCjk) adaptCjk(mdast)
  const headingIds = restorePlaceholders(mdast, placeholders)
  const diagnostics = [...unopened, ...foreignSyntax(mdast, written, components === null)]

  const plain = hasHtml ? null : mdastToSafeHast(mdast, shape, definitions)
  if (plain === null) {
    const safe = sanitisedHast(mdast, shape, { hasHtml, limit })
    const unclosed = hasHtml ? unclosedElements(mdast) : []
    return {
      explicitIds: headingIds,
      isFromMdast: false,
      ...safe,
      diagnostics: [...diagnostics, ...safe.diagnostics, ...unclosed],
    }
  }
  assertPrintable(plain.tree, limit)
  return { explicitIds: headingIds, isFromMdast: true, ...plain, diagnostics }
}

/** Runs any syntax tree through remark-rehype and the sanitiser. */
export function sanitisedHast(
  mdast: MdastRoot,
  shape: Shape,
  { hasHtml, limit }: { readonly hasHtml: boolean; readonly limit: number },
): SafeElements & SanitiserReport {
  const elements = toHast[shape].runSync(mdast)
  const unsafe = hasHtml ? parseRawHtml(elements) : elements
  assertPrintable(unsafe, limit)
  return { tree: sanitisers[shape].runSync(unsafe), ...reportRemovals(unsafe) }
}

import type { Element, ElementContent, Root, RootContent } from 'hast'
import type { Heading } from '../../../theme/view.ts'
import type { MarkdownDiagnostic } from '../markdown-diagnostic.ts'
import { AUTHOR_ID_PREFIX } from '../schema.ts'
import { enhanceBlockquote } from './alert.ts'
import { enhanceCodeBlock } from './code-block.ts'
import { renderComponents } from './component.ts'
import { enhanceContainer } from './container.ts'
import {
  createEnhanceContext,
  type EnhanceContext,
  type EnhanceOptions,
  prefixedId,
  type Rewrite,
} from './enhance-context.ts'
import { explainTerms } from './glossary-terms.ts'
import { dropRepeatedTitle, enhanceHeading } from './heading.ts'
import { enhanceImage, enhanceParagraph } from './image.ts'
import { enhanceInlineCode } from './inline-code.ts'
import { enhanceLink, resolveFragmentLinks } from './link.ts'
import {
  enhanceAside,
  enhanceAudio,
  enhancePicture,
  enhanceSource,
  enhanceTrack,
  enhanceVideo,
} from './media.ts'
import { enhanceHeaderCell, enhanceTable } from './table.ts'
import { enhanceCheckbox } from './task.ts'

export interface Enhanced {
  readonly tree: Root
  /** True if the tree has elements that a template of the theme printed. */
  readonly hasComponents: boolean
  /** Headings of levels 2 and 3, in order. */
  readonly toc: readonly Heading[]
  /** Every id of the body, with its prefix. */
  readonly ids: readonly string[]
  readonly droppedUrls: readonly string[]
  /** Links within the page, e.g. `#install`, as printed. */
  readonly fragmentLinks: readonly string[]
  /** Origins of the pages of other sites that are shown in frames. */
  readonly frames: readonly string[]
  /** Formulas that failed to render. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

const REWRITES: Readonly<Record<string, Rewrite>> = {
  a: enhanceLink,
  aside: enhanceAside,
  audio: enhanceAudio,
  blockquote: enhanceBlockquote,
  code: enhanceInlineCode,
  div: enhanceContainer,
  h1: enhanceHeading,
  h2: enhanceHeading,
  h3: enhanceHeading,
  h4: enhanceHeading,
  h5: enhanceHeading,
  h6: enhanceHeading,
  img: enhanceImage,
  input: enhanceCheckbox,
  p: enhanceParagraph,
  picture: enhancePicture,
  pre: enhanceCodeBlock,
  source: enhanceSource,
  table: enhanceTable,
  th: enhanceHeaderCell,
  track: enhanceTrack,
  video: enhanceVideo,
}

/**
 * Adds to sanitised HTML the parts that a page needs: ids, anchors, mapped URLs, alerts, accessible tables, code blocks
 * and images. Walks the tree once, because every publish does. The added markup is trusted, so the result must not be
 * sanitised again.
 *
 * Mutates the given tree.
 *
 * @param explicitIds ids that headings set themselves.
 */
export function enhance(
  { tree, explicitIds }: { readonly tree: Root; readonly explicitIds: ReadonlySet<string> },
  options: EnhanceOptions,
): Enhanced {
  const context = createEnhanceContext(options, explicitIds)
  tree.children = enhanceAll(dropRepeatedTitle(tree.children, options.title), context)
  const ownLinks = resolveFragmentLinks(context)
  explainTerms(tree.children, context)
  if (context.components.size > 0) renderComponents(tree, context)
  return {
    tree,
    hasComponents: context.components.size > 0,
    toc: context.headings.filter(({ depth }) => depth === 2 || depth === 3),
    ids: [...context.usedIds].map((id) => prefixedId(id, context)),
    droppedUrls: context.droppedUrls,
    fragmentLinks: ownLinks,
    frames: [...context.frames],
    diagnostics: context.diagnostics,
  }
}

function enhanceAll<Node extends RootContent>(
  nodes: readonly Node[],
  context: EnhanceContext,
): (Node | ElementContent)[] {
  const polished: (Node | ElementContent)[] = []
  for (const node of nodes) {
    if (node.type === 'element') enhanceElement(node, context, polished)
    else polished.push(node)
  }
  return polished
}

/** @param into receives the element or its replacement. */
function enhanceElement(
  element: Element,
  context: EnhanceContext,
  into: (RootContent | ElementContent)[],
): void {
  if (hasRewrittenProperty(element)) rewriteProperties(element, context)
  if (!hasOnlyText(element)) element.children = enhanceAll(element.children, context)
  const rewrite = REWRITES[element.tagName]
  if (rewrite === undefined) into.push(element)
  else for (const node of rewrite(element, context)) into.push(node)
}

/** True for most table cells and inline elements, which need no walk. */
function hasOnlyText({ children }: Element): boolean {
  return children.length === 1 && children[0]?.type === 'text'
}

/** Properties that are rewritten before printing. Most elements have none of them. */
const REWRITTEN_PROPERTIES: ReadonlySet<string> = new Set([
  'id',
  'name',
  'align',
  'ariaDescribedBy',
  'className',
])

function hasRewrittenProperty({ properties }: Element): boolean {
  for (const name in properties) if (REWRITTEN_PROPERTIES.has(name)) return true
  return false
}

/** Makes ids unique, turns the obsolete `name` of anchors into an id, and alignment into a class. */
function rewriteProperties(element: Element, context: EnhanceContext): void {
  const { id, name, align, ariaDescribedBy, className, ...others } = element.properties
  const place = claimId(element, id ?? name, context)
  const classes = [
    ...(Array.isArray(className) ? className : []),
    ...(align === undefined ? [] : [`align-${align}`]),
  ]
  const described = Array.isArray(ariaDescribedBy) ? ariaDescribedBy : []

  element.properties = {
    ...(place !== null && { id: place }),
    ...(classes.length > 0 && { className: classes }),
    ...others,
    ...(described.length > 0 && {
      ariaDescribedBy: described.map((place) => prefixedId(String(place), context)),
    }),
  }
}

/** Returns the id with the prefix of the body; null for a missing id and for one that is already used. */
function claimId(element: Element, written: unknown, context: EnhanceContext): string | null {
  if (typeof written !== 'string') return null
  const id = authoredId(element, written, context)
  if (context.usedIds.has(id)) return null
  context.usedIds.add(id)
  return prefixedId(id, context)
}

/**
 * Returns the id as its author wrote it, for links from other pages. It keeps the sanitiser's prefix where the name is
 * taken, on footnotes, and on links: a script that reads a global variable of the same name would get the link's URL.
 */
function authoredId({ tagName, properties }: Element, written: string, context: EnhanceContext): string {
  const id = written.slice(AUTHOR_ID_PREFIX.length)
  const isLink = tagName === 'a' && properties['href'] !== undefined
  const { usedIds, explicitIds, reserved } = context
  const isTaken = usedIds.has(id) || explicitIds.has(id) || reserved.has(id)
  if (!written.startsWith(AUTHOR_ID_PREFIX) || id === '' || isLink || isTaken || FOOTNOTE_ID.test(id))
    return written
  return id
}

const FOOTNOTE_ID = /^(?:fn-|fnref-|footnote-label$)/

import type { Element, ElementContent, Root, RootContent } from 'hast'
import type { Heading } from '../../../theme/view.ts'
import type { MarkdownDiagnostic } from '../markdown-diagnostic.ts'
import { enhanceBlockquote } from './alert.ts'
import { enhanceCodeBlock } from './code-block.ts'
import { enhanceContainer } from './container.ts'
import {
  createEnhanceContext,
  type EnhanceContext,
  type EnhanceOptions,
  prefixedId,
  type Rewrite,
} from './enhance-context.ts'
import { enhanceFormula } from './formula.ts'
import { dropRepeatedTitle, enhanceHeading } from './heading.ts'
import { enhanceImage, enhanceParagraph } from './image.ts'
import { enhanceLink, resolveFragmentLinks } from './link.ts'
import { enhanceHeaderCell, enhanceTable } from './table.ts'
import { enhanceCheckbox } from './task.ts'

export interface Enhanced {
  readonly tree: Root
  /** Headings of the second and third level, in order. */
  readonly toc: readonly Heading[]
  /** Every id of the body, with its prefix. */
  readonly ids: readonly string[]
  readonly droppedUrls: readonly string[]
  /** Links to places of the page the body stands in, e.g. `#install`, as they are printed. */
  readonly fragmentLinks: readonly string[]
  /** Formulas that could not be set. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

const REWRITES: Readonly<Record<string, Rewrite>> = {
  a: enhanceLink,
  blockquote: enhanceBlockquote,
  code: enhanceFormula,
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
  pre: enhanceCodeBlock,
  table: enhanceTable,
  th: enhanceHeaderCell,
}

/**
 * Makes sanitised HTML fit for a page: ids and anchors, URLs, alerts, and what assistive technology
 * and small screens need of tables, code and images. All of it in one pass, because a page is walked
 * on every publish. What is added here is trusted, so nothing may be sanitised after it.
 *
 * Changes the tree it is given.
 *
 * @param explicitIds those that headings name themselves.
 */
export function enhance(
  { tree, explicitIds }: { readonly tree: Root; readonly explicitIds: ReadonlySet<string> },
  options: EnhanceOptions,
): Enhanced {
  const context = createEnhanceContext(options, explicitIds)
  tree.children = enhanceAll(dropRepeatedTitle(tree.children, options.title), context)
  const ownLinks = resolveFragmentLinks(context)
  return {
    tree,
    toc: context.headings.filter(({ depth }) => depth === 2 || depth === 3),
    ids: [...context.usedIds].map((id) => prefixedId(id, context)),
    droppedUrls: context.droppedUrls,
    fragmentLinks: ownLinks,
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

/** @param into where it goes, or what takes its place. */
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

/** Nothing but text, as in most cells and marks. */
function hasOnlyText({ children }: Element): boolean {
  return children.length === 1 && children[0]?.type === 'text'
}

/** Properties that are not printed as they are; most elements have none of them. */
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

/** Ids are made unique, the obsolete `name` of an anchor becomes one, and alignment becomes a class of the theme's. */
function rewriteProperties(element: Element, context: EnhanceContext): void {
  const { id, name, align, ariaDescribedBy, className, ...others } = element.properties
  const place = claimId(id ?? name, context)
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

/** The id as it is printed; null for none, and for one the page already has. */
function claimId(id: unknown, context: EnhanceContext): string | null {
  if (typeof id !== 'string' || context.usedIds.has(id)) return null
  context.usedIds.add(id)
  return prefixedId(id, context)
}

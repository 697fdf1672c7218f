import type { Element, ElementContent, Root, RootContent } from 'hast'
import type { Heading } from '../../../theme/view.ts'
import type { MarkdownFault } from '../markdown-fault.ts'
import { polishQuote } from './alert.ts'
import { polishCodeBlock } from './code-block.ts'
import { polishContainer } from './container.ts'
import {
  type Polishing,
  type PolishOptions,
  prefixedId,
  type Rewrite,
  startPolishing,
} from './enhance-context.ts'
import { polishFormula } from './formula.ts'
import { polishHeading, withoutTitle } from './heading.ts'
import { polishImage, polishParagraph } from './image.ts'
import { pointFragmentLinks, polishLink } from './link.ts'
import { polishHeaderCell, polishTable } from './table.ts'
import { polishCheckbox } from './task.ts'

export interface Polished {
  readonly tree: Root
  /** Headings of the second and third level, in order. */
  readonly toc: readonly Heading[]
  /** Every id of the body, with its prefix. */
  readonly ids: readonly string[]
  readonly droppedUrls: readonly string[]
  /** Links to places of the page the body stands in, e.g. `#install`, as they are printed. */
  readonly ownLinks: readonly string[]
  /** Formulas that could not be set. */
  readonly faults: readonly MarkdownFault[]
}

const REWRITES: Readonly<Record<string, Rewrite>> = {
  a: polishLink,
  blockquote: polishQuote,
  code: polishFormula,
  div: polishContainer,
  h1: polishHeading,
  h2: polishHeading,
  h3: polishHeading,
  h4: polishHeading,
  h5: polishHeading,
  h6: polishHeading,
  img: polishImage,
  input: polishCheckbox,
  p: polishParagraph,
  pre: polishCodeBlock,
  table: polishTable,
  th: polishHeaderCell,
}

/**
 * Makes sanitised HTML fit for a page: ids and anchors, URLs, alerts, and what assistive technology
 * and small screens need of tables, code and images. All of it in one pass, because a page is walked
 * on every publish. What is added here is trusted, so nothing may be sanitised after it.
 *
 * Changes the tree it is given.
 *
 * @param headingIds those that headings name themselves.
 */
export function polish(
  { tree, headingIds }: { readonly tree: Root; readonly headingIds: ReadonlySet<string> },
  options: PolishOptions,
): Polished {
  const polishing = startPolishing(options, headingIds)
  tree.children = polishAll(withoutTitle(tree.children, options.title), polishing)
  const ownLinks = pointFragmentLinks(polishing)
  return {
    tree,
    toc: polishing.headings.filter(({ depth }) => depth === 2 || depth === 3),
    ids: [...polishing.ids].map((id) => prefixedId(id, polishing)),
    droppedUrls: polishing.droppedUrls,
    ownLinks,
    faults: polishing.faults,
  }
}

function polishAll<Node extends RootContent>(
  nodes: readonly Node[],
  polishing: Polishing,
): (Node | ElementContent)[] {
  const polished: (Node | ElementContent)[] = []
  for (const node of nodes) {
    if (node.type === 'element') polishElement(node, polishing, polished)
    else polished.push(node)
  }
  return polished
}

/** @param into where it goes, or what takes its place. */
function polishElement(element: Element, polishing: Polishing, into: (RootContent | ElementContent)[]): void {
  if (hasPolished(element)) polishProperties(element, polishing)
  if (!isPolished(element)) element.children = polishAll(element.children, polishing)
  const rewrite = REWRITES[element.tagName]
  if (rewrite === undefined) into.push(element)
  else for (const node of rewrite(element, polishing)) into.push(node)
}

/** Nothing but text, as in most cells and marks. */
function isPolished({ children }: Element): boolean {
  return children.length === 1 && children[0]?.type === 'text'
}

/** Properties that are not printed as they are; most elements have none of them. */
const POLISHED: ReadonlySet<string> = new Set(['id', 'name', 'align', 'ariaDescribedBy', 'className'])

function hasPolished({ properties }: Element): boolean {
  for (const name in properties) if (POLISHED.has(name)) return true
  return false
}

/** Ids are made unique, the obsolete `name` of an anchor becomes one, and alignment becomes a class of the theme's. */
function polishProperties(element: Element, polishing: Polishing): void {
  const { id, name, align, ariaDescribedBy, className, ...others } = element.properties
  const place = newPlace(id ?? name, polishing)
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
      ariaDescribedBy: described.map((place) => prefixedId(String(place), polishing)),
    }),
  }
}

/** The id as it is printed; null for none, and for one the page already has. */
function newPlace(id: unknown, polishing: Polishing): string | null {
  if (typeof id !== 'string' || polishing.ids.has(id)) return null
  polishing.ids.add(id)
  return prefixedId(id, polishing)
}

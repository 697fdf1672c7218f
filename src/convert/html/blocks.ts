import type { ElementContent } from 'hast'
import { columns, fitsContainer, insideContainer } from './containers.ts'
import { attribute, element, hasClass, isElement, isVisible, lineOf } from './elements.ts'
import type { Rewriter } from './rewrite.ts'

/* Blocks of WordPress, and elements without a form in Markdown. */

/** Columns next to each other: at most four, others follow one another. */
const MAX_COLUMNS = 4

export const columnBlocks: Rewriter = (node, scope, { rewriteAll }) => {
  if (!hasClass(node, 'wp-block-columns')) return null
  const parts = node.children.filter((child) => isElement(child) && hasClass(child, 'wp-block-column'))
  const shown = parts.filter((part) => isVisible(part))
  const others = node.children.some((child) => !parts.includes(child) && isVisible(child))
  if (shown.length < 2 || shown.length > MAX_COLUMNS || others || !fitsContainer(scope)) return null
  return columns(
    shown.map((part) => (isElement(part) ? rewriteAll(part.children, insideContainer(scope)) : [])),
  )
}

/** The source of a quotation is its last paragraph. */
export const citations: Rewriter = (node, scope, { rewriteAll }) => {
  if (!isElement(node, 'blockquote')) return null
  const isSource = (child: ElementContent) => isElement(child, 'cite', 'footer')
  if (!node.children.some(isSource)) return null
  const rest = node.children.filter((child) => !isSource(child))
  const sources = node.children.filter((child) => isSource(child) && isVisible(child))
  const written = sources.map((source) =>
    element('p', {}, [
      ...(/^[—–-]/.test(lineOf(source)) ? [] : [{ type: 'text', value: '— ' } as const]),
      ...(isElement(source) ? rewriteAll(source.children, scope) : []),
    ]),
  )
  return [element('blockquote', {}, [...rewriteAll(rest, scope), ...written])]
}

/** Verses and preformatted text with links are no code: their lines stay lines. */
export const verses: Rewriter = (node, scope, { rewriteAll }) => {
  if (!isElement(node, 'pre')) return null
  const isVerse = hasClass(node, 'wp-block-verse')
  if (!isVerse && !node.children.some(holdsMarkup)) return null
  const lines = node.children.flatMap((child) => (isElement(child, 'code') ? child.children : [child]))
  return [element('p', {}, rewriteAll(lines.flatMap(brokenLines), scope))]
}

/** Code with links or pictures in it becomes pieces of code, in the links and next to the pictures. */
export const linkedCode: Rewriter = (node, scope, { rewriteAll }) => {
  const isCode = isElement(node, 'code', 'samp', 'tt')
  if (!isCode || !node.children.some((child) => holdsMarkup(child))) return null
  return rewriteAll(node.children.flatMap(inCode), scope)
}

function inCode(node: ElementContent): readonly ElementContent[] {
  if (!holdsMarkup(node)) return isVisible(node) ? [element('code', {}, [node])] : [node]
  if (!isElement(node)) return []
  const inner = node.children.flatMap(inCode)
  return isElement(node, 'img') ? [node] : isElement(node, 'a') ? [{ ...node, children: inner }] : inner
}

/** Reports whether a node has a link or a picture. */
function holdsMarkup(node: ElementContent): boolean {
  return isElement(node, 'a', 'img') || (isElement(node) && node.children.some(holdsMarkup))
}

function brokenLines(node: ElementContent): readonly ElementContent[] {
  if (node.type !== 'text')
    return isElement(node) ? [{ ...node, children: node.children.flatMap(brokenLines) }] : []
  return node.value
    .split(/\r?\n/)
    .flatMap((text, index): readonly ElementContent[] => [
      ...(index === 0 ? [] : [element('br', {})]),
      { type: 'text', value: text },
    ])
}

/** Colours of text are no marks, and the second link to a file is a button. */
export const plainMarks: Rewriter = (node, scope, { rewriteAll }) => {
  if (isElement(node, 'mark') && hasClass(node, 'has-inline-color')) return rewriteAll(node.children, scope)
  if (hasClass(node, 'wp-block-file__button')) return []
  // Buttons next to each other are links with a space between them.
  if (hasClass(node, 'wp-block-button', 'kg-button-card'))
    return [element('p', {}, rewriteAll(node.children, scope))]
  return null
}

/** Definitions in a list or a cell stay a list: Quoin has them in the text of a page alone. */
export const definitions: Rewriter = (node, scope, { rewriteAll }) => {
  if (!isElement(node, 'dl') || scope.isInCell || scope.isInList) return null
  const parts = node.children.flatMap((child) => (isElement(child, 'div') ? child.children : [child]))
  const isWhole = parts.every((part) => isElement(part, 'dt', 'dd') || !isVisible(part))
  if (!isWhole || !isElement(parts.find(isVisible), 'dt') || !parts.every(beginsWithText)) return null
  return parts
    .filter(isVisible)
    .flatMap((part) =>
      isElement(part)
        ? [
            element(
              part.tagName === 'dt' ? 'q-term' : 'q-definition',
              {},
              rewriteAll(part.children, { ...scope, isInList: true }),
            ),
          ]
        : [],
    )
}

/** Reports whether a definition begins with a line of text: a heading or code would follow the colon. */
function beginsWithText(node: ElementContent): boolean {
  if (!isElement(node, 'dd')) return true
  const first = node.children.find(isVisible)
  return first === undefined || first.type === 'text' || (isElement(first) && TEXT.test(first.tagName))
}

const TEXT = /^(?:p|a|b|strong|em|i|code|span|mark|u|small|cite)$/

/** Tables that only lay out a page, with other tables in their cells or one cell, are their contents. */
export const layoutTables: Rewriter = (node, scope, { rewriteAll }) => {
  if (!isElement(node, 'table')) return null
  if (scope.isInCell)
    return rewriteAll(
      cellsOf(node.children).flatMap((cell) => [...cell, { type: 'text', value: ' ' }]),
      scope,
    )
  const cells = cellsOf(node.children)
  const hasTable = cells.some((cell) => cell.some(holdsTable))
  if (!hasTable && cells.length > 1) return null
  return cells.flatMap((cell) => [element('div', {}, rewriteAll(cell, scope))])
}

function cellsOf(nodes: readonly ElementContent[]): readonly (readonly ElementContent[])[] {
  return nodes.flatMap((node): readonly (readonly ElementContent[])[] => {
    if (isElement(node, 'td', 'th', 'caption')) return [node.children]
    return isElement(node) ? cellsOf(node.children) : []
  })
}

function holdsTable(node: ElementContent): boolean {
  return isElement(node, 'table') || (isElement(node) && node.children.some(holdsTable))
}

/** The caption of a table is a paragraph above it. */
export const tableCaptions: Rewriter = (node, scope, { rewriteAll }) => {
  if (!isElement(node, 'table') || scope.isInCell) return null
  const caption = node.children.find((child) => isElement(child, 'caption'))
  if (!isElement(caption)) return null
  const rest = { ...node, children: node.children.filter((child) => child !== caption) }
  const shown = element('p', {}, [element('strong', {}, rewriteAll(caption.children, scope))])
  return [...(isVisible(caption) ? [shown] : []), ...rewriteAll([rest], scope)]
}

/** The target of links to an anchor. A heading is its own. */
export function anchorId(node: ElementContent): string {
  return isElement(node) ? attribute(node, 'id') || (isElement(node, 'a') ? attribute(node, 'name') : '') : ''
}

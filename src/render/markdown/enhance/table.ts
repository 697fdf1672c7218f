import type { Element, ElementContent } from 'hast'
import { type EnhanceContext, label } from './enhance-context.ts'

/** Wraps a table in a scrollable box that the keyboard can reach. */
export function enhanceTable(table: Element, context: EnhanceContext): readonly ElementContent[] {
  context.tables += 1
  const properties = {
    className: ['table-scroll'],
    tabIndex: 0,
    role: 'region',
    ariaLabel: label('table', context).replace('{n}', String(context.tables)),
  }
  return [{ type: 'element', tagName: 'div', properties, children: [table] }]
}

/**
 * Markdown has header cells in the first row only, so each of them labels its column. An empty one labels nothing: as a
 * header, screen readers would announce it as one without a name.
 */
export function enhanceHeaderCell(cell: Element): readonly ElementContent[] {
  if (cell.children.some(isPerceivable)) cell.properties = { scope: 'col', ...cell.properties }
  else cell.tagName = 'td'
  return [cell]
}

function isPerceivable(node: ElementContent): boolean {
  if (node.type === 'element') return node.tagName === 'img' || node.children.some(isPerceivable)
  return node.type === 'text' && node.value.trim() !== ''
}

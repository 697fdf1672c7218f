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

/** Markdown has header cells in the first row only, so each of them labels its column. */
export function enhanceHeaderCell(cell: Element): readonly ElementContent[] {
  cell.properties = { scope: 'col', ...cell.properties }
  return [cell]
}

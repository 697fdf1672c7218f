import type { Element, ElementContent } from 'hast'
import { type EnhanceContext, label } from './enhance-context.ts'

/** A wide table scrolls within its own box, which the keyboard can reach. */
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

/** Markdown has header cells in the first row only, so each is about its column. */
export function enhanceHeaderCell(cell: Element): readonly ElementContent[] {
  cell.properties = { scope: 'col', ...cell.properties }
  return [cell]
}

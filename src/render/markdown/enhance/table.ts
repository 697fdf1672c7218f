import type { Element, ElementContent } from 'hast'
import { type Polishing, word } from './enhance-context.ts'

/** A wide table scrolls within its own box, which the keyboard can reach. */
export function polishTable(table: Element, polishing: Polishing): readonly ElementContent[] {
  polishing.tables += 1
  const properties = {
    className: ['table-scroll'],
    tabIndex: 0,
    role: 'region',
    ariaLabel: word('table', polishing).replace('{n}', String(polishing.tables)),
  }
  return [{ type: 'element', tagName: 'div', properties, children: [table] }]
}

/** Markdown has header cells in the first row only, so each is about its column. */
export function polishHeaderCell(cell: Element): readonly ElementContent[] {
  cell.properties = { scope: 'col', ...cell.properties }
  return [cell]
}

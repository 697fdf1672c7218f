import { Decoration } from '@codemirror/view'

/** Tables with more columns are shown as their source. */
const MOST_COLUMNS = 6
const CELLS = new Map()

/**
 * Shows the rows of a table in columns: each cell is a box in the line of its row, so that the text stays in its place and is
 * edited there. Bars are hidden outside the row of the caret.
 *
 * @param {(call: (line: object) => void) => void} eachRow of the rows that are shown.
 */
export function decorateTable(page, node, eachRow) {
  const { doc } = page.state
  const ruler = node.getChild('TableDelimiter')
  const aligns = ruler === null ? [] : alignsOf(doc.sliceString(ruler.from, ruler.to))
  const head = node.getChild('TableHeader')
  const isWide = aligns.length === 0 || aligns.length > MOST_COLUMNS
  eachRow((line) => {
    const isRuler = ruler !== null && ruler.from >= line.from && ruler.from <= line.to
    const isHead = head !== null && head.from >= line.from && head.from <= line.to
    const isActive = page.isActive(line.from, line.to)
    if (isWide) return page.line(line.from, `md-cells${isHead ? ' md-cells-head' : ''}`)
    if (isRuler) {
      page.line(line.from, isActive ? 'md-cells-ruler' : 'md-cells-ruler is-hidden')
      if (!isActive) page.hide(line.from, line.to)
      return
    }
    page.line(line.from, `md-row${isHead ? ' md-row-head' : ''}`)
    for (const [at, cell] of cellsOf(line.text).entries()) {
      if (at >= aligns.length) break
      const to = at === aligns.length - 1 ? line.to : line.from + cell.to
      page.mark(line.from + cell.from, to, cellMark(aligns.length, aligns[at]))
      if (isActive) continue
      if (cell.bar) page.hide(line.from + cell.from, line.from + cell.from + 1)
      if (to === line.to && /\|\s*$/.test(line.text))
        page.hide(line.from + line.text.lastIndexOf('|'), line.to)
    }
  })
}

/** @returns {('left' | 'center' | 'right')[]} */
function alignsOf(ruler) {
  return cellsOf(ruler.replace(/\|\s*$/, ''))
    .map(({ from, to, bar }) => ruler.slice(bar ? from + 1 : from, to).trim())
    .map((dashes) => (dashes.endsWith(':') ? (dashes.startsWith(':') ? 'center' : 'right') : 'left'))
}

/** Cells of a row with the bar before each. Escaped bars are text, and one at the end begins no cell. */
function cellsOf(row) {
  const text = row.trimEnd()
  const starts = []
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '|') starts.push(at)
  }
  const first = text.length - text.trimStart().length
  const isBare = starts[0] !== first
  const cells = (isBare ? [first, ...starts] : starts).map((from, index) => ({
    from,
    bar: !(isBare && index === 0),
  }))
  return cells.map((cell, index) => ({ ...cell, to: cells[index + 1]?.from ?? row.length }))
}

function cellMark(columns, align) {
  const name = `md-cell md-columns-${columns} md-${align}`
  const known = CELLS.get(name) ?? Decoration.mark({ class: name })
  CELLS.set(name, known)
  return known
}

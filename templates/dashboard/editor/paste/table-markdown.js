import { inlineMarkdown } from './inline-markdown.js'

/** A table as Markdown. One that only lays out other blocks, in a single cell, is what the cell holds. */
export function tableMarkdown(table, blocksOf) {
  const rows = [...table.rows].map((row) => [...row.cells])
  if (rows.length === 0) return []
  if (rows.length === 1 && rows[0].length === 1) return blocksOf(rows[0][0])
  return [rowsToTable(rows.map((cells) => cells.map((cell) => inlineMarkdown([...cell.childNodes]))))]
}

/** Cells separated by tabs, as tables of a spreadsheet are; null for another text. */
export function tabsToTable(text) {
  const lines = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  const rows = lines.map((line) => line.split('\t'))
  const isTable =
    rows.length > 1 && rows[0].length > 1 && rows.every(({ length }) => length === rows[0].length)
  return isTable ? rowsToTable(rows) : null
}

/** @param {readonly (readonly string[])[]} rows the first of which is the head. */
function rowsToTable(rows) {
  const width = Math.max(...rows.map(({ length }) => length))
  const [head, ...others] = rows.map((cells) =>
    Array.from({ length: width }, (_, at) =>
      (cells[at] ?? '').replaceAll(/\\?\n/g, ' ').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim(),
    ),
  )
  return [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

import { mapOutsideFences } from '../../page-text/map-prose.ts'

/** The line between the head and the rows of a table. */
const DELIMITER = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)+$/m
const CODE = /(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/g

/**
 * Escapes the bars in code of tables: kramdown and Python's Markdown take them for code, and the Markdown of GitHub for the
 * end of a cell.
 */
export function escapeTablePipes(body: string): string {
  return mapOutsideFences(body, (text) =>
    text
      .split(/(\n[ \t]*\n)/)
      .map((block) => (block.includes('`') && DELIMITER.test(block) ? escapedRows(block) : block))
      .join(''),
  )
}

function escapedRows(table: string): string {
  return table.replace(CODE, (_, marks: string, code: string) => {
    return `${marks}${code.replace(/(?<!\\)\|/g, '\\|')}${marks}`
  })
}

import Papa from 'papaparse'

/** The table of a database. */
export interface DatabaseTable {
  /** The first one has the titles of pages. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The number of the row with a quote that does not end, from 1. Null for a whole table. */
  readonly brokenRow: number | null
}

export function readTable(text: string): DatabaseTable {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    delimiter: ',',
    skipEmptyLines: 'greedy',
  })
  const [columns = [], ...rows] = data.map((cells) => cells.map((cell) => cell.trim()))
  const broken = errors.find(({ type }) => type === 'Quotes')
  return { columns, rows, brokenRow: broken === undefined ? null : (broken.row ?? 0) }
}

/** A table of Markdown. @param rows of inline Markdown without line breaks. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${columns.map((_, index) => cellOf(cells[index] ?? '')).join(' | ')} |`
  return [line(columns), `|${' --- |'.repeat(columns.length)}`, ...rows.map(line)].join('\n')
}

function cellOf(text: string): string {
  return text.replace(/(?<!\\)\|/g, '\\|').replace(/\s*\n\s*/g, '<br>')
}

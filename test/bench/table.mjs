// The table of figures in docs/PERFORMANCE.md. `--table` replaces the rows that this run measured.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const DOCUMENT = fileURLToPath(new URL('../../docs/PERFORMANCE.md', import.meta.url))
const TABLE = /(<!-- figures -->\n)([\s\S]*?)(\n<!-- end of figures -->)/
const HEAD = ['| What | Measured | Goal | On |', '| --- | --- | --- | --- |']

/** Removed from the arguments, because the measurements read theirs by position. */
export const writesTable = process.argv.includes('--table')
if (writesTable) process.argv.splice(process.argv.indexOf('--table'), 1)

const noted = new Map()

/** @param what the name of the row. A later figure of the same name replaces it. */
export function note(what, measured, goal) {
  const day = new Date().toISOString().slice(0, 10)
  noted.set(what, `| ${what} | ${measured} | ${goal} | ${day} |`)
}

/** Writes the table if `--table` was given. Rows of other measurements stay. */
export function writeTable() {
  if (!writesTable) return
  const text = readFileSync(DOCUMENT, 'utf8')
  const [, , previous = ''] = TABLE.exec(text) ?? []
  const rows = new Map(
    previous
      .split('\n')
      .slice(HEAD.length)
      .map((row) => [row.split('|')[1]?.trim(), row]),
  )
  for (const [what, row] of noted) rows.set(what, row)
  const table = [...HEAD, ...rows.values()].join('\n')
  writeFileSync(
    DOCUMENT,
    text.replace(TABLE, (_, start, __, end) => start + table + end),
  )
  console.log(`Wrote ${noted.size} rows to docs/PERFORMANCE.md.`)
}

export function machine() {
  return `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`
}

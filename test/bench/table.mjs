// The table of figures in the README. `--readme` writes what was measured in this run over what stood there.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const README = fileURLToPath(new URL('../../README.md', import.meta.url))
const TABLE = /(<!-- figures -->\n)([\s\S]*?)(\n<!-- end of figures -->)/
const HEAD = ['| What | Measured | Goal | On |', '| --- | --- | --- | --- |']

/** Taken from the arguments before any measurement reads its own. */
export const isForReadme = process.argv.includes('--readme')
if (isForReadme) process.argv.splice(process.argv.indexOf('--readme'), 1)

const noted = new Map()

/** @param what a row's name: another figure of the same name takes its place. */
export function note(what, measured, goal) {
  const day = new Date().toISOString().slice(0, 10)
  noted.set(what, `| ${what} | ${measured} | ${goal} | ${day} |`)
}

/** Where that was asked for; rows of other measurements stay as they are. */
export function writeTable() {
  if (!isForReadme) return
  const readme = readFileSync(README, 'utf8')
  const [, , before = ''] = TABLE.exec(readme) ?? []
  const rows = new Map(
    before
      .split('\n')
      .slice(HEAD.length)
      .map((row) => [row.split('|')[1]?.trim(), row]),
  )
  for (const [what, row] of noted) rows.set(what, row)
  const table = [...HEAD, ...rows.values()].join('\n')
  writeFileSync(
    README,
    readme.replace(TABLE, (_, start, __, end) => start + table + end),
  )
  console.log(`Written to the README: ${noted.size} rows.`)
}

export function machine() {
  return `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`
}

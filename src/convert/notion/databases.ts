import { posix } from 'node:path'
import type { SourceFiles } from '../conversion.ts'
import { bareOf, readName } from './export-names.ts'
import { type StatusProperty, statusProperty } from './publication-status.ts'
import { startDate } from './property-values.ts'
import { type DatabaseTable, readTable } from './tables.ts'

/** A database of an export: a table, and a page for each row that has a text. */
export interface Database extends DatabaseTable {
  /** The path of the table. */
  readonly path: string
  readonly title: string
  /** The property with the dates at which pages are published. Null when the database is no blog. */
  readonly dates: string | null
  readonly status: StatusProperty | null
}

/** Tables of databases, by the path that links have. Notion exports a view, and often all rows in another file. */
export interface DatabaseFiles {
  readonly tables: ReadonlyMap<string, string>
  /** Tables whose rows another table has as well. */
  readonly views: ReadonlySet<string>
}

const DATES =
  /^(?:date|published|publish(?:ed|ing)? (?:date|on|at|time)|publication date|post(?:ed)? (?:date|on)|release date|datum|veröffentlicht(?:ungsdatum| am)?)$/i

/** @param folders of the export. Other tables with a name of their own are files of a page. */
export function databaseFiles(paths: readonly string[], folders: ReadonlySet<string>): DatabaseFiles {
  const tables = new Map<string, string>()
  const views = new Set<string>()
  const all = new Set(paths)
  for (const path of paths) {
    if (!path.endsWith('.csv')) continue
    const bare = bareOf(path)
    const whole = `${bare}_all.csv`
    if (readName(posix.basename(bare)).id === null && !all.has(whole) && !folders.has(bare)) continue
    const view = `${bare}.csv`
    if (path === whole && all.has(view)) continue
    tables.set(path, all.has(whole) ? whole : path)
    if (path !== whole && all.has(whole)) views.add(whole)
  }
  return { tables, views }
}

/** Reads the table of a database. Null when it is too large. @param pageCount pages of the database. */
export function readDatabase(
  files: SourceFiles,
  { path, table }: { readonly path: string; readonly table: string },
  pageCount: number,
): Database | null {
  const text = files.text(table) ?? files.text(path)
  if (text === null) return null
  const read = readTable(text)
  const valuesOf = (name: string) => {
    const index = read.columns.indexOf(name)
    return read.rows.map((row) => row[index] ?? '')
  }
  const dated = read.columns.find(
    (name) =>
      DATES.test(name) &&
      valuesOf(name).filter((value) => startDate(value) !== null).length * 2 >= read.rows.length,
  )
  return {
    ...read,
    path,
    title: readName(posix.basename(bareOf(path))).title || 'Untitled',
    dates: pageCount === 0 || read.rows.length === 0 ? null : (dated ?? null),
    status: statusProperty(read.columns, valuesOf),
  }
}

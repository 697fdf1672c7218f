import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Papa from 'papaparse'
import { ServiceError } from '../../domain/errors.ts'

/** A row of `posts.csv`. Cells without a value are empty. */
export interface SubstackRow {
  /** A number and the slug, e.g. `3276.my-first-post`. The name of the file of its text. */
  readonly post_id: string
  readonly post_date: string
  /** `true` or `false`. */
  readonly is_published: string
  /** `everyone`, `only_paid`, `only_free` or `founding`. */
  readonly audience: string
  readonly title: string
  readonly subtitle: string
  readonly podcast_url: string
}

const COLUMNS = [
  'post_id',
  'post_date',
  'is_published',
  'audience',
  'title',
  'subtitle',
  'podcast_url',
] as const satisfies readonly (keyof SubstackRow)[]
/** 50,000 posts have less. */
const MAX_TABLE = 64 * 1024 * 1024

/** Reads `posts.csv`. @throws {ServiceError} `validation_error` for a missing, damaged or too large table. */
export function readPostRows(folder: string): readonly SubstackRow[] {
  const file = join(folder, 'posts.csv')
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found?.isFile() !== true) throw refused('it is missing')
  if (found.size > MAX_TABLE) throw refused('it is larger than 64 MiB')
  const { data, errors } = Papa.parse<Readonly<Record<string, string>>>(
    readFileSync(file, 'utf8').replace(/^\uFEFF/, ''),
    { header: true, skipEmptyLines: true, delimiter: ',' },
  )
  const [broken] = errors.filter(({ type }) => type === 'Quotes')
  if (broken !== undefined) throw refused(`row ${(broken.row ?? 0) + 1} has a quote that does not end`)
  return data.map(rowOf).filter(({ post_id }) => /^\d[\w.-]{0,300}$/.test(post_id))
}

export function isPublished({ is_published }: SubstackRow): boolean {
  return is_published.toLowerCase() === 'true'
}

function rowOf(cells: Readonly<Record<string, string>>): SubstackRow {
  const pairs = COLUMNS.map((name) => [name, (cells[name] ?? '').trim()] as const)
  return Object.fromEntries(pairs) as Record<(typeof COLUMNS)[number], string>
}

function refused(reason: string): ServiceError {
  return new ServiceError('validation_error', `posts.csv cannot be read: ${reason}.`)
}

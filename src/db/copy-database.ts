import { promisify } from 'node:util'
import type { OriginalId } from '../domain/asset.ts'
import type { ProjectId } from '../domain/ids.ts'
import { originalKey, originalVariantKey } from '../domain/original-key.ts'
import type { SqliteConnection } from './sqlite-drivers/driver.ts'
import { loadSqliteDriver } from './sqlite-drivers/load-driver.ts'

/**
 * Copies a database that other processes read and write, as it is at one point in time. A reader like any other: no
 * write waits for it, but the write-ahead log grows until it is done. The copy keeps the pages of the file at their
 * places.
 *
 * @param to an empty file.
 * @returns the names of the migrations in the copy, in order.
 * @throws {Error} if the database cannot be read, or its copy is damaged.
 */
export async function copyDatabase(from: string, to: string): Promise<readonly string[]> {
  await withDatabase(from, (source) => source.copyTo(to))
  return withDatabase(to, async (copy) => {
    const [check] = await rowsOf<{ quick_check: string }>(copy, 'PRAGMA quick_check(1)')
    if (check?.quick_check !== 'ok')
      throw new Error(`The database is damaged (${check?.quick_check.split('\n').join(' ')}).`)
    const rows = await rowsOf<{ name: string }>(copy, 'SELECT name FROM knex_migrations ORDER BY id')
    return rows.map(({ name }) => name)
  })
}

/** An object of the media store. */
export interface MediaObject {
  readonly key: string
  /** Digest of its bytes, hex. */
  readonly sha256: string
  readonly bytes: number
}

/** The originals and variants that a copy of a database names, by key. */
export async function mediaInCopy(copy: string): Promise<readonly MediaObject[]> {
  return withDatabase(copy, async (database) => {
    const originals = await rowsOf<OriginalRow>(
      database,
      "SELECT project_id, id, digest, coalesce(stored_digest, digest) AS sha256, bytes FROM originals WHERE state = 'stored'",
    )
    const variants = await rowsOf<VariantRow>(
      database,
      `SELECT originals.project_id, originals.id, originals.digest, v.digest AS sha256, v.bytes, v.width, v.format, v.recipe
        FROM media_variants AS v JOIN originals ON originals.id = v.original_id WHERE originals.state = 'stored'`,
    )
    return [
      ...originals.map(({ project_id, id, digest, sha256, bytes }) => ({
        key: originalKey(project_id, digest, id),
        sha256,
        bytes,
      })),
      ...variants.map(({ project_id, sha256, bytes, ...variant }) => ({
        key: originalVariantKey(project_id, variant, variant),
        sha256,
        bytes,
      })),
    ]
  })
}

interface OriginalRow {
  readonly project_id: ProjectId
  readonly id: OriginalId
  readonly digest: string
  readonly sha256: string
  readonly bytes: number
}

interface VariantRow extends OriginalRow {
  readonly width: number
  readonly format: 'webp' | 'avif'
  readonly recipe: number
}

/**
 * Takes a database file out of use: moves everything from its write-ahead log into it.
 *
 * @throws {Error} if another process has it open.
 */
export async function closeDatabaseFile(file: string): Promise<void> {
  // SQLite leaves WAL mode only for the one connection to a database.
  await withDatabase(file, (database) => rowsOf(database, 'PRAGMA journal_mode = DELETE'))
}

async function withDatabase<T>(file: string, work: (database: SqliteConnection) => Promise<T>): Promise<T> {
  const database = await loadSqliteDriver().open(file, 'existing')
  try {
    return await work(database)
  } finally {
    await promisify(database.close.bind(database))()
  }
}

function rowsOf<Row>(database: SqliteConnection, sql: string): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    database.all(sql, [], (error, rows) => (error === null ? resolve(rows as readonly Row[]) : reject(error)))
  })
}

import type { Knex } from 'knex'
import { type CopiedTable, copyRows } from '../db/copy-rows.ts'
import { migrate } from '../db/migrate.ts'
import { openPool } from '../db/postgres.ts'
import { preparePostgres } from '../db/postgres-server.ts'
import { isServed } from '../db/server-presence.ts'
import { type CopiedStore, copyStore } from '../storage/copy-store.ts'
import type { StorageTarget } from '../storage/storage-url.ts'
import { type Config, ConfigError, databaseFileOf, overlaps } from './config.ts'
import { asConfigError } from './database.ts'
import { openInstallation } from './installation.ts'
import { openStorage } from './storage.ts'

export interface TransferRequest {
  /** The installation as it is, with a SQLite file. */
  readonly from: Config
  /** The installation as it shall be, with PostgreSQL. A store that is the same place is not copied. */
  readonly to: Config
  readonly onProgress: (what: 'rows' | 'files' | 'media', done: number, total: number) => void
}

export interface Transferred {
  readonly tables: readonly CopiedTable[]
  /** The copied store; null for one that stays where it is. */
  readonly files: CopiedStore | null
  readonly uploads: CopiedStore | null
}

/**
 * Copies an installation into a PostgreSQL database and other stores, and compares all of it with the original, which
 * stays as it is. The database comes last and in one transaction: an interrupted transfer leaves no installation, and
 * the next one continues with the stores where it ended. Nothing can write to the original meanwhile.
 *
 * @throws {ConfigError} when the original or a target is in use.
 * @throws {StorageError} when a store fails or changes.
 */
export async function transfer({ from, to, onProgress }: TransferRequest): Promise<Transferred> {
  const file = databaseFileOf(from, 'is PostgreSQL already. Move that with pg_dump and pg_restore.')
  if (to.database.kind === 'sqlite') throw new ConfigError(`--to: ${ONLY_POSTGRES}`)
  const { directUrl } = to.database
  const { connections, db } = await openInstallation(from)
  try {
    await asConfigError('--to', () => preparePostgres(directUrl, migrate))
    return await connections.writer.transaction(async (source) => {
      if (await isServed(source))
        throw new ConfigError(
          `--from: a server uses ${file}. Stop it first; one that was killed counts for half a minute.`,
        )
      return {
        // Objects are copied before the database that names them.
        uploads: await moved('--media-to', from.media, to.media, (...done) => onProgress('media', ...done)),
        files: await moved('--storage-to', from.storage, to.storage, (...done) =>
          onProgress('files', ...done),
        ),
        tables: await withPool(directUrl, (target) =>
          named('--to', () => copyRows(source, target, (...done) => onProgress('rows', ...done))),
        ),
      }
    })
  } finally {
    await db.close()
  }
}

const ONLY_POSTGRES =
  'must be postgres://user:password@host:5432/database. To move a SQLite installation to another folder, use quoin backup and quoin restore.'

async function moved(
  flag: string,
  from: StorageTarget,
  to: StorageTarget,
  onProgress: (done: number, total: number) => void,
): Promise<CopiedStore | null> {
  if (JSON.stringify(from) === JSON.stringify(to)) return null
  if (overlaps(from, to))
    throw new ConfigError(
      `${flag}: must be another place than the store that is copied, not within it or around it.`,
    )
  const target = await openStorage(to)
  await asConfigError(flag, () => target.check())
  const source = await openStorage(from)
  return named(flag, () => copyStore(source, target, onProgress))
}

async function withPool<Result>(url: string, work: (db: Knex) => Promise<Result>): Promise<Result> {
  const db = openPool(url, { max: 2 })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Puts the name of the flag before the reason of a rejection. */
async function named<Result>(flag: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`${flag}: ${error.message}.`, { cause: error })
    throw error
  }
}

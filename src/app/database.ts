import { access, chmod, constants, open, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Knex } from 'knex'
import type { Connections, DatabaseDescription } from '../db/connections.ts'
import { createDatabase } from '../db/database.ts'
import { migrate, pendingMigrations } from '../db/migrate.ts'
import { openPostgres } from '../db/postgres.ts'
import { preparePostgres } from '../db/postgres-server.ts'
import type { Database } from '../db/repositories.ts'
import { openSqlite, type SqliteConnections } from '../db/sqlite.ts'
import type { SqliteDriver } from '../db/sqlite-drivers/driver.ts'
import { messageOf } from '../domain/errors.ts'
import { fallbackOn } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import { type Config, ConfigError, type DatabaseTarget } from './config.ts'

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600
/** Entries of the data folder that a first start creates before the database. */
const CREATED_EARLIER: readonly string[] = ['cdn', 'media', 'uploads', 'self-signed.pem']

/**
 * Opens the database, and creates and migrates it where needed. Only its user can read the files.
 *
 * @throws {ConfigError} with one line. Nothing stays open.
 */
export async function openDatabase({ data, database, migrates }: Config): Promise<OpenDatabase> {
  await asConfigError('QUOIN_DATA', () => makeDataFolder(data))
  const prepare = migrates ? migrate : refuseOlder
  return database.kind === 'sqlite' ? openFile(database.file, prepare) : openServer(database, prepare)
}

/** Migrates the database, and closes it. @returns the names of the migrations that ran. @throws {ConfigError} */
export async function migrateDatabase(config: Config): Promise<readonly string[]> {
  await asConfigError('QUOIN_DATA', () => makeDataFolder(config.data))
  let ran: readonly string[] = []
  const prepare: Prepare = async (db) => (ran = await migrate(db))
  const { database } = config
  const open = database.kind === 'sqlite' ? openFile(database.file, prepare) : openServer(database, prepare)
  await (await open).db.close()
  return ran
}

/** Brings the schema of a database to this version, or refuses it. */
type Prepare = (db: Knex) => Promise<unknown>

async function refuseOlder(db: Knex): Promise<void> {
  const pending = await pendingMigrations(db)
  if (pending.length > 0)
    throw new Error(
      `the database is of an earlier version (it lacks ${pending.join(', ')}). Run quoin migrate first; only a start with QUOIN_MIGRATE=on does so by itself.`,
    )
}

export interface OpenDatabase {
  readonly db: Database
  readonly connections: Connections
  /** Facts for the log; null for a file that the module `sqlite3` opens. */
  readonly description: DatabaseDescription | null
}

async function openFile(file: string, prepare: Prepare): Promise<OpenDatabase> {
  await asConfigError('QUOIN_DATABASE_URL', () => makeWritable(dirname(file)))
  await asConfigError('QUOIN_DATABASE_URL', () => makePrivate(file))
  const connections = openConnections(file)
  try {
    await asConfigError('QUOIN_DATABASE_URL', () => prepare(connections.writer))
  } catch (error) {
    await Promise.all([connections.writer.destroy(), connections.reader.destroy()])
    throw error
  }
  return { db: createDatabase(connections), connections, description: describeDriver(connections.driver) }
}

async function openServer(
  { url, directUrl, replicaUrl }: Extract<DatabaseTarget, { kind: 'postgres' }>,
  prepare: Prepare,
): Promise<OpenDatabase> {
  const description = await asConfigError('QUOIN_DATABASE_URL', () => preparePostgres(directUrl, prepare))
  const connections = openPostgres(url, replicaUrl)
  return { db: createDatabase(connections), connections, description }
}

function describeDriver(driver: SqliteDriver['name']): DatabaseDescription | null {
  if (driver === 'sqlite3') return null
  return {
    name: `SQLite of Node ${process.versions.node}, because the module sqlite3 cannot be loaded`,
    warning: null,
  }
}

function openConnections(file: string): SqliteConnections {
  try {
    return openSqlite(file)
  } catch (error) {
    throw new ConfigError(messageOf(error))
  }
}

async function makeWritable(folder: string): Promise<void> {
  await mkdirp(folder)
  await access(folder, constants.W_OK)
}

/**
 * Only its user can use the data folder of a new installation. One that holds other files or a database keeps its
 * mode: a web server of another user may read published files in it.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  await makeWritable(folder)
  const isNew = (await readdir(folder)).every((name) => CREATED_EARLIER.includes(name))
  // A mounted volume may belong to another user.
  if (isNew) await fallbackOn(['EPERM'], chmod(folder, PRIVATE_FOLDER), undefined)
}

/** SQLite creates its other files with the mode of the database file. */
async function makePrivate(file: string): Promise<void> {
  // An existing file is not opened: closing it would release the locks of other connections in this process.
  await (await fallbackOn(['EEXIST'], open(file, 'wx', PRIVATE_FILE), null))?.close()
  for (const path of [file, `${file}-wal`, `${file}-shm`])
    await fallbackOn(['ENOENT'], chmod(path, PRIVATE_FILE), undefined)
}

export async function asConfigError<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new ConfigError(`${setting}: ${firstLine(error)}`)
  }
}

/** The first line of an error's message. */
export function firstLine(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n')
  return line
}

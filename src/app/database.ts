import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import type { Database } from '../db/repositories.ts'
import { openSqlite, type SqliteConnections } from '../db/sqlite.ts'
import { messageOf } from '../domain/errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import { loadOrCreateMasterKey, type MasterKey, prependMasterKey } from '../secrets/master-key.ts'
import { type Config, ConfigError } from './config.ts'

/* Opens the database and the master key in the data folder. */

export async function openDatabase(
  config: Config,
): Promise<{ db: Database; connections: SqliteConnections }> {
  await asConfigError('QUOIN_DATA', () => makeWritable(config.data))
  await asConfigError('QUOIN_DATABASE_URL', () => makeWritable(dirname(config.databaseFile)))
  const connections = openConnections(config.databaseFile)
  try {
    await asConfigError('QUOIN_DATABASE_URL', () => migrate(connections.writer))
  } catch (error) {
    await Promise.all([connections.writer.destroy(), connections.reader.destroy()])
    throw error
  }
  return { db: createDatabase(connections), connections }
}

function openConnections(file: string): SqliteConnections {
  try {
    return openSqlite(file)
  } catch (error) {
    throw new ConfigError(
      `The SQLite module cannot be loaded (${firstLine(error)}). Install with its build step allowed: npm install --allow-scripts=sqlite3.`,
    )
  }
}

/** Adds a new master key before those in the data folder. @throws {ConfigError} */
export async function addStoredMasterKey({ data, masterKey }: Config): Promise<void> {
  if (masterKey !== null)
    throw new ConfigError(
      '--new: the data folder holds no master key because QUOIN_MASTER_KEY is set; put the new key first in QUOIN_MASTER_KEY instead.',
    )
  await asConfigError('QUOIN_DATA', () => makeWritable(data))
  await asConfigError('QUOIN_MASTER_KEY', () => prependMasterKey(join(data, 'master.key')))
}

export async function loadMasterKey(data: string): Promise<MasterKey> {
  const file = join(data, 'master.key')
  try {
    return await loadOrCreateMasterKey(file)
  } catch (error) {
    throw new ConfigError(`QUOIN_MASTER_KEY: the file ${file} cannot be used: ${firstLine(error)}.`)
  }
}

async function makeWritable(folder: string): Promise<void> {
  await mkdirp(folder)
  await access(folder, constants.W_OK)
}

export async function asConfigError(setting: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new ConfigError(`${setting}: ${firstLine(error)}`)
  }
}

function firstLine(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n')
  return line
}

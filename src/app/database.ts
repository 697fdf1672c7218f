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

/* What lies in the data folder: everything that works with it opens it here. */

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

/** Put a new master key in front of those in the data folder. @throws {ConfigError} */
export async function addStoredMasterKey({ data, masterKey }: Config): Promise<void> {
  if (masterKey !== null)
    throw new ConfigError(
      '--new: the key is not kept here; put a new one first in QUOIN_MASTER_KEY yourself.',
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

export async function asConfigError(setting: string, use: () => Promise<void>): Promise<void> {
  try {
    await use()
  } catch (error) {
    throw new ConfigError(`${setting}: ${firstLine(error)}`)
  }
}

function firstLine(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n')
  return line
}

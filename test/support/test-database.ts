import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Config, readConfig, type SettingName } from '../../src/app/config.ts'
import type { Connections } from '../../src/db/connections.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import type { MasterKey } from '../../src/secrets/master-key.ts'
import { loadOrCreateMasterKey } from '../../src/secrets/master-key-file.ts'
import { createSchema } from './postgres.ts'

/** Which one does not matter to tests. On PostgreSQL there is none in the data folder. */
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/**
 * The database of a service in a data folder: a schema of its own on the server that `QUOIN_TEST_DATABASE_URL` names,
 * else a file in the folder.
 */
export async function databaseSettings(
  folder: string,
): Promise<Readonly<Partial<Record<SettingName, string>>>> {
  const url = process.env['QUOIN_TEST_DATABASE_URL']
  if (!url) return {}
  const schema = `service_${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  return { QUOIN_DATABASE_URL: await createSchema(url, schema), QUOIN_MASTER_KEY: MASTER_KEY }
}

/** Opens the database of the service that runs in a data folder. Close it before the service. */
export async function openServiceDatabase(folder: string): Promise<Connections> {
  const { QUOIN_DATABASE_URL: url } = await databaseSettings(folder)
  return url === undefined ? openSqlite(join(folder, 'quoin.db')) : openPostgres(url)
}

/**
 * Stops the clock of the database of the service in a data folder at a time. PostgreSQL decides about rate limits by it;
 * services on SQLite decide by their own.
 */
export async function stopDatabaseClock(folder: string, unix: number): Promise<void> {
  const { QUOIN_DATABASE_URL: url } = await databaseSettings(folder)
  if (url === undefined) return
  const { writer, close } = openPostgres(url)
  // A function of the schema is found before the server's own.
  await writer.raw(
    `CREATE OR REPLACE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT to_timestamp(${unix / 1000})'`,
  )
  await close()
}

/** The settings with which a command reads what the service in a data folder wrote. */
export async function serviceConfig(folder: string): Promise<Config> {
  return readConfig({ QUOIN_DATA: folder, QUOIN_LOG_LEVEL: 'silent', ...(await databaseSettings(folder)) })
}

/** The master key of the service in a data folder. */
export async function serviceMasterKey(folder: string): Promise<MasterKey> {
  const { masterKey } = await serviceConfig(folder)
  return masterKey ?? loadOrCreateMasterKey(join(folder, 'master.key'))
}

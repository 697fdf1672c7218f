import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LostSecrets } from '../db/repositories/secrets.ts'
import type { Database } from '../db/repositories.ts'
import { prefixed } from '../domain/ids.ts'
import { systemTime } from '../platform/clock.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { loadOrCreateMasterKey, prependMasterKey, readMasterKey } from '../secrets/master-key-file.ts'
import { randomId } from '../services/new-id.ts'
import { replaceLostSecrets } from '../services/operating/lost-secrets.ts'
import { type Config, ConfigError } from './config.ts'
import { firstLine, type OpenDatabase, openDatabase } from './database.ts'

/** An open database, and the master key that opens the secrets in it. */
export interface Installation extends OpenDatabase {
  readonly masterKey: MasterKey
}

/** Projects that a message lists by id. */
const NAMED = 5

/**
 * Opens the database and its master key. Creates a master key only for a database that holds no secrets: with a new
 * key, everything sealed before would be lost without a word.
 *
 * @throws {ConfigError} with one line. Nothing stays open.
 */
export async function openInstallation(config: Config): Promise<Installation> {
  const open = await openDatabase(config)
  try {
    return { ...open, masterKey: await openMasterKey(config, open.db) }
  } catch (error) {
    await open.db.close()
    throw error
  }
}

/**
 * Replaces the secrets in an existing database that the master key does not open. Creates a missing master key.
 *
 * @returns what was replaced.
 * @throws {ConfigError} with one line.
 */
export async function acceptLostKeys(config: Config): Promise<readonly LostSecrets[]> {
  const { db } = await openDatabase(config)
  try {
    requireMasterKey(config)
    const masterKey = config.masterKey ?? (await inFile(masterKeyFile(config), loadOrCreateMasterKey))
    return await replaceLostSecrets(db, masterKey, { newId: randomId, now: systemTime })
  } finally {
    await db.close()
  }
}

/** Adds a new master key before those in the data folder. @throws {ConfigError} */
export async function addStoredMasterKey(config: Config): Promise<void> {
  if (config.masterKey !== null)
    throw new ConfigError(
      '--new: the data folder holds no master key because QUOIN_MASTER_KEY is set; put the new key first in QUOIN_MASTER_KEY instead.',
    )
  const { db } = await openInstallation(config)
  await db.close()
  await inFile(masterKeyFile(config), prependMasterKey)
}

/** @throws {ConfigError} on PostgreSQL without a configured key, because its processes may run on several machines. */
function requireMasterKey({ database, masterKey }: Config): void {
  if (database.kind === 'postgres' && masterKey === null)
    throw new ConfigError(
      'QUOIN_MASTER_KEY: must be set with PostgreSQL, to the same key for all processes, because each machine would create one of its own. Create it with openssl rand -base64 32; an installation that has one in the file master.key of its data folder uses that.',
    )
}

export function masterKeyFile({ data }: Pick<Config, 'data'>): string {
  return join(data, 'master.key')
}

async function openMasterKey(config: Config, db: Database): Promise<MasterKey> {
  return (await findMasterKey(config, db)) ?? inFile(masterKeyFile(config), loadOrCreateMasterKey)
}

/**
 * The master key that opens every secret of the database; null where there is neither a key nor a secret.
 *
 * @throws {ConfigError} with one line when the database holds secrets that no available key opens.
 */
export async function findMasterKey(config: Config, db: Database): Promise<MasterKey | null> {
  requireMasterKey(config)
  const file = masterKeyFile(config)
  const found = config.masterKey ?? (existsSync(file) ? await inFile(file, readMasterKey) : null)
  const lost = await db.read.lostSecrets.find(found?.ids ?? [])
  if (lost.length > 0) throw new ConfigError(refusal(config, found !== null, lost))
  return found
}

async function inFile<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(file)
  } catch (error) {
    throw new ConfigError(
      `QUOIN_MASTER_KEY: the file ${file} cannot be used: ${firstLine(error)}. Put it back from a backup.`,
    )
  }
}

function refusal(config: Config, exists: boolean, lost: readonly LostSecrets[]): string {
  const where =
    config.masterKey !== null
      ? 'QUOIN_MASTER_KEY: this master key'
      : `QUOIN_MASTER_KEY: the file ${masterKeyFile(config)}`
  const fault = exists ? 'does not open' : 'is missing, and the database holds'
  return `${where} ${fault} ${describe(lost)}. Put back the master key that belongs to this database, from a backup of it. If it is lost, quoin serve --accept-lost-keys starts with another one.`
}

/** Names the lost secrets, with their projects. */
function describe(lost: readonly LostSecrets[]): string {
  const of = (kind: LostSecrets['kind'], what: string) => {
    const ids = lost.filter((one) => one.kind === kind).map(({ projectId }) => prefixed('proj', projectId))
    const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
    return ids.length === 0 ? [] : [`${what} of ${ids.slice(0, NAMED).join(', ')}${more}`]
  }
  return [...of('content key', 'the content keys'), ...of('webhook secret', 'the webhook secrets')].join(
    ' and ',
  )
}

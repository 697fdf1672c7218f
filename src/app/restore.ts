import { existsSync } from 'node:fs'
import { link, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Backup } from '../backup/backup.ts'
import type { OnProgress } from '../backup/create-backup.ts'
import {
  checkBackup,
  findBackup,
  openMasterKey,
  restoreDatabase,
  restoreObjects,
} from '../backup/restore-backup.ts'
import { closeDatabaseFile } from '../db/copy-database.ts'
import { unknownMigrations } from '../db/migrate.ts'
import { createServerPresence } from '../db/server-presence.ts'
import { messageOf } from '../domain/errors.ts'
import { createDurably, replaceDurably, syncFolder } from '../platform/durable-file.ts'
import { fallbackOn, hasCode } from '../platform/fs-errors.ts'
import { type MasterKey, parseMasterKey } from '../secrets/master-key.ts'
import type { Storage } from '../storage/storage.ts'
import type { StorageTarget } from '../storage/storage-url.ts'
import { type Config, ConfigError, databaseFileOf } from './config.ts'
import { asConfigError, makeDataFolder, openDatabase } from './database.ts'
import { masterKeyFile } from './installation.ts'
import { openMedia } from './media.ts'
import { openStorage } from './storage.ts'

export interface RestoreRequest {
  readonly from: StorageTarget
  readonly passphrase: string
  /** Replaces an existing installation. */
  readonly force: boolean
  readonly onProgress: RestoreProgress
}

export type RestoreProgress = (...args: Parameters<OnProgress> | ['check', number, number]) => void

/** @throws {ConfigError} if there is no backup that this version and passphrase open. {StorageError} if it is damaged. */
export async function checkedBackup({
  from,
  passphrase,
  onProgress,
}: Pick<RestoreRequest, 'from' | 'passphrase' | 'onProgress'>): Promise<CheckedBackup> {
  const place = await openStorage(from)
  const backup = await usable(place)
  const masterKey = await opened(backup, passphrase)
  await checkBackup(backup, place, (done, total) => onProgress('check', done, total))
  return { backup, place, masterKey }
}

interface CheckedBackup {
  readonly backup: Backup
  readonly place: Storage
  readonly masterKey: MasterKey
}

/**
 * Restores an installation from a backup, after checking all of it. The database comes last, so that an interrupted
 * restore is no installation. With `force`, the database and the master key that exist are kept beside, with the
 * extension `.replaced`, or `.replaced-2` and so on: what an earlier restore kept is never overwritten.
 *
 * @throws {ConfigError} if the target is in use or not empty; {StorageError} if the backup is damaged. Nothing was
 *   written then.
 */
export async function restore(config: Config, request: RestoreRequest): Promise<Backup> {
  const databaseFile = databaseFileOf(config, ONLY_FILES)
  const store = await openStorage(config.storage)
  if (request.force) await releaseDatabase(databaseFile)
  else await assertNoInstallation(config, databaseFile)
  const { backup, place, masterKey } = await checkedBackup(request)
  const media = await openStorage(config.media)
  if (!request.force && backup.objects !== null) await assertEmpty(store, 'QUOIN_STORAGE_URL', config.storage)
  if (!request.force && backup.media !== null) await assertEmpty(media, 'QUOIN_MEDIA_URL', config.media)
  assertSameKey(config, backup)

  await makeDataFolder(config.data)
  const { onProgress } = request
  if (backup.media !== null && backup.media.length > 0) await openMedia(config)
  // Objects are restored before the database that names them.
  await restoreObjects(backup.media ?? [], place, media, (...done) => onProgress('media', ...done))
  await restoreObjects(backup.objects ?? [], place, store, (...done) => onProgress('files', ...done))
  if (config.masterKey === null) {
    const file = masterKeyFile(config)
    await keepKey(file)
    await replaceDurably(file, `${masterKey.reveal()}\n`)
  }
  await placeDatabase(config, databaseFile, backup, place, request.onProgress)
  return backup
}

const ONLY_FILES =
  'a backup is restored into a SQLite file. Leave it empty, or restore PostgreSQL with pg_restore as docs/OPERATING.md says.'

async function usable(place: Storage): Promise<Backup> {
  const backup = await findBackup(place).catch((error) => {
    throw error instanceof RangeError ? new ConfigError(`--from: ${error.message}.`) : error
  })
  if (backup === null)
    throw new ConfigError(
      '--from: there is no complete backup: backup.json, which is written last, is missing.',
    )
  const unknown = await asConfigError('--from', async () => unknownMigrations(backup.migrations))
  if (unknown.length > 0)
    throw new ConfigError(
      `--from: Quoin ${backup.version}, which is newer, made the backup (it has ${unknown.join(', ')}). Restore it with that version.`,
    )
  return backup
}

async function opened(backup: Backup, passphrase: string): Promise<MasterKey> {
  try {
    return parseMasterKey(await openMasterKey(backup, passphrase))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ConfigError('The passphrase is not the one that the backup was made with.', { cause: error })
  }
}

async function assertNoInstallation({ data }: Config, databaseFile: string): Promise<void> {
  const [first] = await fallbackOn(['ENOENT'], readdir(data), [])
  if (first !== undefined)
    throw new ConfigError(`QUOIN_DATA: ${data} is not empty (it holds ${first}). ${USE_FORCE}`)
  if (existsSync(databaseFile))
    throw new ConfigError(`QUOIN_DATABASE_URL: ${databaseFile} exists. ${USE_FORCE}`)
}

async function assertEmpty(store: Storage, setting: string, { kind }: StorageTarget): Promise<void> {
  const [first] = await store.list('')
  if (first !== undefined)
    throw new ConfigError(`${setting}: the ${kind} is not empty (it holds ${first}). ${USE_FORCE}`)
}

const USE_FORCE = 'Name another place, or replace its contents with --force.'

/** Moves the write-ahead log of an existing database into it. @throws {ConfigError} while a server uses it. */
async function releaseDatabase(databaseFile: string): Promise<void> {
  if (!existsSync(databaseFile)) return
  try {
    await closeDatabaseFile(databaseFile)
  } catch (error) {
    // A damaged database is what a restore is for.
    if (!/SQLITE_BUSY|locked/.test(messageOf(error))) return
    throw new ConfigError(
      `QUOIN_DATABASE_URL: another process uses ${databaseFile}. Stop the server first.`,
      { cause: error },
    )
  }
}

/** With the master key of the environment, the restored secrets could not be opened if it is another one. */
function assertSameKey({ masterKey }: Config, backup: Backup): void {
  if (masterKey === null || masterKey.ids.includes(backup.masterKey.id)) return
  throw new ConfigError(
    'QUOIN_MASTER_KEY: this is not the master key of the backup. Unset it to restore that key into the data folder.',
  )
}

/** Copies the key. Its file stays: a service that starts without it would create another key. */
async function keepKey(file: string): Promise<void> {
  const key = await fallbackOn(['ENOENT'], readFile(file, 'utf8'), null)
  if (key !== null) await underFreeName(file, (free) => createDurably(free, key))
}

/** Gives the database a second name, with what its write-ahead log still holds when it is damaged. */
async function keepDatabase(file: string): Promise<void> {
  if (!existsSync(file)) return
  const kept = await underFreeName(file, (free) => createLink(file, free))
  await fallbackOn(['ENOENT'], rename(`${file}-wal`, `${kept}-wal`), undefined)
}

/** @returns false if the name is taken. */
async function createLink(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name)
    return true
  } catch (error) {
    if (hasCode(error, ['EEXIST'])) return false
    throw error
  }
}

/** @param create returns false if the name is taken. @returns the name. */
async function underFreeName(file: string, create: (free: string) => Promise<boolean>): Promise<string> {
  for (let number = 1; ; number++) {
    const name = `${file}.replaced${number === 1 ? '' : `-${number}`}`
    if (await create(name)) return name
  }
}

/** Migrates the database before it gets its name. */
async function placeDatabase(
  config: Config,
  databaseFile: string,
  backup: Backup,
  place: Storage,
  onProgress: OnProgress,
): Promise<void> {
  const restored = `${databaseFile}.restoring`
  for (const end of ['', '-wal', '-shm']) await rm(restored + end, { force: true })
  const file = await open(restored, 'wx', 0o600)
  try {
    await restoreDatabase(backup, place, file, onProgress)
  } finally {
    await file.close()
  }
  const { db, connections } = await openDatabase({ ...config, database: { kind: 'sqlite', file: restored } })
  try {
    // The service that was backed up had other stores, perhaps, and does not run here.
    await createServerPresence(connections.writer).withdrawAll()
    // Otherwise sessions and links that ended after the backup would be valid again.
    await db.write(async ({ sessions, setUpLinks, changes }) => {
      await sessions.deleteAll()
      await setUpLinks.deleteAll()
      // Changes after the backup had the numbers that others get now.
      await changes.forgetHistory()
    })
  } finally {
    await db.close()
  }
  await keepDatabase(databaseFile)
  for (const end of ['-wal', '-shm']) await rm(databaseFile + end, { force: true })
  await rename(restored, databaseFile)
  await syncFolder(dirname(databaseFile))
}

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { createBackup, type OnProgress, type WrittenBackup } from '../backup/create-backup.ts'
import { copyDatabase, mediaInCopy } from '../db/copy-database.ts'
import { ServiceError } from '../domain/errors.ts'
import { createBackupHold } from '../media/backup-hold.ts'
import { systemTime } from '../platform/clock.ts'
import { version } from '../platform/package-paths.ts'
import type { StorageTarget } from '../storage/storage-url.ts'
import { type Config, ConfigError, databaseFileOf } from './config.ts'
import { firstLine } from './database.ts'
import { openInstallation } from './installation.ts'
import { openStorage } from './storage.ts'

export interface BackupRequest {
  readonly to: StorageTarget
  readonly passphrase: string
  /** True if uploads are part of the backup. */
  readonly media: boolean
  readonly onProgress: OnProgress
}

const ONLY_FILES =
  'a backup copies a SQLite file. Back up PostgreSQL with pg_dump, and the stores and the master key as docs/OPERATING.md says.'

/** A copy of a database that is older was left by a killed backup. */
const STALE_MS = 24 * 60 * 60 * 1000

/**
 * Writes a backup of an installation to a folder or a bucket. A server may run meanwhile. Needs as much free space next
 * to the database as the database takes.
 *
 * @throws {ConfigError} if the place cannot be used.
 */
export async function backUp(
  config: Config,
  { to, passphrase, media, onProgress }: BackupRequest,
): Promise<WrittenBackup> {
  const databaseFile = databaseFileOf(config, ONLY_FILES)
  assertOutside(to, config)
  const place = await openStorage(to)
  await place.check()
  const { db, masterKey } = await openInstallation(config)
  await db.close()
  const store = config.storage.kind === 'folder' ? await openStorage(config.storage) : null
  const mediaStore = media ? await openStorage(config.media) : null
  const hold = await createBackupHold(databaseFile).begin()
  try {
    return await withCopy(databaseFile, (copy) =>
      createBackup(copy, { place, store, mediaStore, masterKey, passphrase, onProgress }),
    )
  } finally {
    await hold.end()
  }
}

/** The data folder would be lost with its backup, and the store publishes all its files. @throws {ConfigError} */
function assertOutside(to: StorageTarget, { data, storage, media }: Config): void {
  if (to.kind !== 'folder') return
  const folders = [
    data,
    ...[storage, media].flatMap((target) => (target.kind === 'folder' ? [target.folder] : [])),
  ]
  const above = folders.find((folder) => `${to.folder}${sep}`.startsWith(`${folder}${sep}`))
  if (above !== undefined)
    throw new ConfigError(`--to: must be outside of ${above}, best on another disk or machine.`)
}

async function withCopy<T>(
  databaseFile: string,
  work: (copy: Parameters<typeof createBackup>[0]) => Promise<T>,
): Promise<T> {
  await removeStaleCopies(databaseFile)
  const path = `${databaseFile}.backup-${randomUUID()}`
  const file = await open(path, 'wx+', 0o600)
  try {
    const createdAt = systemTime()
    const migrations = await copied(databaseFile, path)
    const media = await mediaInCopy(path)
    return await work({ file, media, version: version(), createdAt, migrations })
  } finally {
    await file.close()
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(path + end, { force: true })
  }
}

/** @throws {ServiceError} with one line. */
async function copied(databaseFile: string, to: string): Promise<readonly string[]> {
  try {
    return await copyDatabase(databaseFile, to)
  } catch (error) {
    throw new ServiceError(
      'internal_error',
      `${databaseFile} cannot be backed up: ${firstLine(error)} If the database is damaged, restore the last backup; it is unchanged.`,
      { cause: error },
    )
  }
}

async function removeStaleCopies(databaseFile: string): Promise<void> {
  const folder = dirname(databaseFile)
  const prefix = `${basename(databaseFile)}.backup-`
  if (!existsSync(folder)) return
  for (const name of (await readdir(folder)).filter((name) => name.startsWith(prefix))) {
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > STALE_MS) await rm(join(folder, name))
  }
}

import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fallbackOn } from '../platform/fs-errors.ts'

/**
 * Lets a backup in another process keep uploads of its database copy in the media store. A file next to the database
 * says that it runs: a row would be part of the copy, and change it with each backup.
 */
export interface BackupHold {
  /** Keeps all uploads until `end`, or until some minutes after the process ended. */
  begin(): Promise<{ end(): Promise<void> }>
  /**
   * Reports whether a backup may need uploads that the database does not. Ask after the commit that gave one up: a
   * backup begins before it copies the database.
   */
  isHeld(): Promise<boolean>
}

/** A backup that has not renewed its file for this long was killed. */
const STALE_MS = 10 * 60 * 1000
const RENEWAL_MS = 60 * 1000

export function createBackupHold(databaseFile: string): BackupHold {
  const folder = dirname(databaseFile)
  const prefix = `${basename(databaseFile)}.hold-`

  return {
    async begin() {
      const file = join(folder, prefix + randomUUID())
      await writeFile(file, '', { mode: 0o600 })
      // One that fails is repeated long before the file counts as stale.
      const renew = () => utimes(file, new Date(), new Date()).catch(() => {})
      const renewal = setInterval(() => void renew(), RENEWAL_MS)
      renewal.unref()
      return {
        async end() {
          clearInterval(renewal)
          await rm(file, { force: true })
        },
      }
    },

    async isHeld() {
      const names = await fallbackOn(['ENOENT'], readdir(folder), [])
      let isHeld = false
      for (const name of names.filter((one) => one.startsWith(prefix))) {
        const stats = await fallbackOn(['ENOENT'], stat(join(folder, name)), null)
        if (stats === null) continue
        if (Date.now() - stats.mtimeMs < STALE_MS) isHeld = true
        else await rm(join(folder, name), { force: true })
      }
      return isHeld
    },
  }
}

import { createBackupHold } from '../media/backup-hold.ts'
import type { Config } from './config.ts'

/** Returns a check for a running backup of the files. `quoin backup` makes none of an installation on PostgreSQL. */
export function isHeldByBackup({ database }: Pick<Config, 'database'>): () => Promise<boolean> {
  return database.kind === 'sqlite' ? createBackupHold(database.file).isHeld : async () => false
}

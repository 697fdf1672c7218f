import type { Logger } from 'pino'
import type { Database } from '../db/repositories.ts'

/** Reads the database file for damage and logs what it finds; `/readyz` reports it too. */
export function createFileCheck({
  db,
  log,
}: {
  readonly db: Database
  readonly log: Logger
}): () => Promise<void> {
  return async () => {
    try {
      const skipped = await db.checkFile()
      if (skipped.length > 0)
        log.warn(
          { tables: skipped },
          'Tables were too large to check for damage; run PRAGMA quick_check on a backup.',
        )
    } catch (error) {
      log.error(
        { err: error },
        'The database file could not be checked for damage. It is checked again in a day.',
      )
    }
  }
}

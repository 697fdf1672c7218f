import type { Connection } from '../statements.ts'

/** A module through which SQLite is used. Both answer from other threads, so that requests go on meanwhile. */
export interface SqliteDriver {
  readonly name: 'sqlite3' | 'node:sqlite'
  /** True if `interrupt` ends a running statement. Otherwise `interrupt` does nothing. */
  readonly canInterrupt: boolean
  /**
   * @param mode `create` creates a file that does not exist; `existing` fails then.
   * @throws {Error} with a code of SQLite, such as `SQLITE_CANTOPEN`.
   */
  open(file: string, mode: 'create' | 'existing'): Promise<SqliteConnection>
}

export interface SqliteConnection extends Connection {
  interrupt(): void
  /** Copies the database to an empty file, in one read transaction. Its pages keep their places. */
  copyTo(file: string): Promise<void>
  close(done: (error: Error | null) => void): void
}

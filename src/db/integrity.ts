import type { Knex } from 'knex'

/** Longest check of one table. It occupies one of the few threads that also read files. */
const TABLE_MS = 30_000

/** File size above which a check is not begun if it cannot be interrupted. It would delay the end of the process. */
const LARGE_FILE = 256 * 1024 * 1024

/** Known damage of the database file. */
export interface Integrity {
  /** The error that SQLite reported; null while it reported none. It stays until the process ends. */
  fault(): string | null
  /** Remembers the error of a statement if it says that the file is damaged. */
  observe(error: unknown): void
  /**
   * Reads the file, table by table, past the cache of the service. Tables that take longer than 30 s (some gigabytes)
   * are left out; where a check cannot be interrupted, all tables of a file of more than 256 MiB are.
   *
   * @returns the tables that were left out.
   */
  check(): Promise<readonly string[]>
  /** Ends a running check. */
  stop(): void
}

/**
 * @param open opens a connection for one check.
 * @param canInterrupt whether `interrupt` of a connection ends a running statement.
 */
export function createIntegrity(open: () => Knex, canInterrupt: boolean): Integrity {
  let fault: string | null = null
  let isStopped = false
  let interrupt = () => {}

  const observe = (error: unknown) => {
    if (isDamage(error)) fault ??= error.message
  }

  return {
    fault: () => fault,
    observe,

    async check() {
      const db = open()
      try {
        const connection: Interruptible = await db.client.acquireConnection()
        interrupt = () => connection.interrupt()
        try {
          return await checkTables(db, connection)
        } finally {
          interrupt = () => {}
          await db.client.releaseConnection(connection)
        }
      } catch (error) {
        observe(error)
        if (!isDamage(error)) throw error
        return []
      } finally {
        await db.destroy()
      }
    },

    stop() {
      isStopped = true
      interrupt()
    },
  }

  async function checkTables(db: Knex, connection: Interruptible): Promise<readonly string[]> {
    const tables = await db('sqlite_master').connection(connection).where({ type: 'table' }).pluck('name')
    if (!canInterrupt && (await bytesOf(db, connection)) > LARGE_FILE) return tables
    const skipped: string[] = []
    for (const table of tables) {
      if (isStopped || fault !== null) break
      if (!(await checkTable(db, connection, table))) skipped.push(table)
    }
    return skipped
  }

  /** False when the check took too long. */
  async function checkTable(db: Knex, connection: Interruptible, table: string): Promise<boolean> {
    const timeout = setTimeout(() => connection.interrupt(), TABLE_MS)
    try {
      const [row] = await db.raw('PRAGMA quick_check(??)', [table]).connection(connection)
      const [result] = Object.values<string>(row ?? { result: 'ok' })
      if (result !== 'ok') fault ??= `${table}: ${firstOf(result ?? '')}`
      return true
    } catch (error) {
      if (hasCode(error, 'SQLITE_INTERRUPT')) return false
      throw error
    } finally {
      clearTimeout(timeout)
    }
  }
}

/** The first line of a report that has up to a hundred, after its heading. */
function firstOf(report: string): string {
  const lines = report.split('\n').filter((line) => !line.startsWith('***'))
  return lines.length > 1 ? `${lines[0]} (and ${lines.length - 1} more)` : (lines[0] ?? report)
}

async function bytesOf(db: Knex, connection: Interruptible): Promise<number> {
  const [row] = await db
    .raw('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .connection(connection)
  return row.bytes
}

interface Interruptible {
  interrupt(): void
}

function isDamage(error: unknown): error is Error {
  return hasCode(error, 'SQLITE_CORRUPT') || hasCode(error, 'SQLITE_NOTADB')
}

function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && 'code' in error && error.code === code
}

import type { SqliteConnection, SqliteDriver } from './driver.ts'

/** The module `sqlite3`, as far as it is used. Its own types do not describe backups. */
interface Sqlite3 {
  readonly OPEN_READWRITE: number
  readonly OPEN_CREATE: number
  readonly Database: new (file: string, flags: number, done: Done) => Database
}

interface Database extends Omit<SqliteConnection, 'copyTo'> {
  backup(to: string, done: Done): Backup
}

interface Backup {
  /** @param pages -1 copies all, under one read transaction. */
  step(pages: number, done: Done): void
  finish(done: () => void): void
}

type Done = (error: Error | null) => void

export function createSqlite3Driver({ Database, OPEN_READWRITE, OPEN_CREATE }: Sqlite3): SqliteDriver {
  return {
    name: 'sqlite3',
    canInterrupt: true,
    async open(file, mode) {
      const flags = mode === 'create' ? OPEN_READWRITE | OPEN_CREATE : OPEN_READWRITE
      const database = await created<Database>((done) => new Database(file, flags, done))
      return Object.assign(database, { copyTo: (to: string) => copyAll(database, to) })
    },
  }
}

async function copyAll(database: Database, to: string): Promise<void> {
  const backup = await created<Backup>((done) => database.backup(to, done))
  try {
    await new Promise<void>((resolve, reject) => {
      backup.step(-1, (error) => (error === null ? resolve() : reject(error)))
    })
  } finally {
    await new Promise<void>((resolve) => backup.finish(resolve))
  }
}

/** Resolves with what `create` returned once it is open. */
function created<T>(create: (done: Done) => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const value = create((error) => (error === null ? resolve(value) : reject(error)))
  })
}

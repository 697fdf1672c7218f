import { LRUCache } from 'lru-cache'

/** A connection in the style of the module `sqlite3`. */
export interface Connection {
  exec(sql: string, done: (error: Error | null) => void): void
  prepare(sql: string, done: (error: Error | null) => void): Statement
  all(sql: string, values: Values, done: Done): void
  run(sql: string, values: Values, done: Done): void
}

interface Statement {
  all(values: Values, done: Done): void
  run(values: Values, done: Done): void
  finalize(): void
}

type Values = readonly unknown[]

type Done = (this: RunContext, error: Error | null, rows?: readonly unknown[]) => void

/** Empty for statements that write nothing. */
type RunContext = Partial<Pick<Result, 'lastID' | 'changes'>>

interface Result {
  readonly rows: readonly unknown[] | undefined
  /** Row id of the last insert. */
  readonly lastID: number
  /** Number of written rows. */
  readonly changes: number
}

/** Cache of the prepared statements of one connection. A cached statement takes one round trip to the database thread instead of two. */
export interface Statements {
  /**
   * @param method `run` for a statement that returns no rows.
   * @throws {Error} the error of SQLite, with its code.
   */
  execute(method: 'all' | 'run', sql: string, values: Values): Promise<Result>
  /** Finalizes all statements, which has to happen before the connection closes. Resolves when none is running. */
  close(): Promise<void>
}

interface CachedStatement {
  readonly statement: Statement
  readonly prepared: Promise<void>
  /** Number of executions in progress. */
  users: number
  /** Removed from the cache; finalized after the last execution. */
  isEvicted: boolean
}

const MAX_CACHED = 200
/** Length of parameters above which a statement is not cached, because a cached one retains its last parameters. */
const LONG_PARAMETERS = 16_384
/** Length above which SQL is not cached: it has a varying number of parameters and seldom occurs twice. */
const LONG_SQL = 2_000

export function createStatements(connection: Connection): Statements {
  const cache = new LRUCache<string, CachedStatement>({
    max: MAX_CACHED,
    dispose: (entry) => {
      entry.isEvicted = true
      finalizeUnused(entry)
    },
  })

  let running = 0
  let onIdle: () => void = () => {}

  return {
    async execute(method, sql, values) {
      if (sql.length > LONG_SQL || lengthOf(values) > LONG_PARAMETERS)
        return promised((done) => connection[method](sql, values, done))
      const entry = cache.get(sql) ?? prepare(sql)
      entry.users += 1
      running += 1
      try {
        await entry.prepared
        return await promised((done) => entry.statement[method](values, done))
      } catch (error) {
        // A failed statement keeps its locks until it is reset.
        if (cache.peek(sql) === entry) cache.delete(sql)
        throw error
      } finally {
        entry.users -= 1
        finalizeUnused(entry)
        running -= 1
        if (running === 0) onIdle()
      }
    },
    async close() {
      cache.clear()
      if (running > 0) await new Promise<void>((resolve) => (onIdle = resolve))
    },
  }

  function prepare(sql: string): CachedStatement {
    let settle: (error: Error | null) => void = () => {}
    const prepared = new Promise<void>((resolve, reject) => {
      settle = (error) => (error === null ? resolve() : reject(error))
    })
    const entry: CachedStatement = {
      statement: connection.prepare(sql, settle),
      prepared,
      users: 0,
      isEvicted: false,
    }
    cache.set(sql, entry)
    return entry
  }
}

function finalizeUnused({ isEvicted, users, statement }: CachedStatement): void {
  if (isEvicted && users === 0) statement.finalize()
}

function promised(call: (done: Done) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    call(function (error, rows) {
      if (error !== null) return reject(error)
      // Read now: the next execution of the statement overwrites these properties.
      const { lastID = 0, changes = 0 } = this
      resolve({ rows, lastID, changes })
    })
  })
}

function lengthOf(values: Values): number {
  let length = 0
  for (const value of values)
    if (typeof value === 'string' || value instanceof Uint8Array) length += value.length
  return length
}

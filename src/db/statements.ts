import { LRUCache } from 'lru-cache'

/** A connection as the module for SQLite has it. */
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

type Done = (this: Told, error: Error | null, rows?: readonly unknown[]) => void

/** Missing where nothing was written. */
type Told = Partial<Pick<Answer, 'lastID' | 'changes'>>

interface Answer {
  readonly rows: readonly unknown[] | undefined
  /** Number of the row that was written last. */
  readonly lastID: number
  /** How many rows were written. */
  readonly changes: number
}

/** Statements of one connection that are prepared once: to ask again takes one way to its thread instead of two. */
export interface Statements {
  /**
   * @param method `run` of a statement that gives no rows.
   * @throws {Error} what SQLite says, with its code.
   */
  ask(method: 'all' | 'run', sql: string, values: Values): Promise<Answer>
  /** Gives all back, as a connection asks for before it can be closed; resolves when none is under way. */
  end(): Promise<void>
}

interface Kept {
  readonly statement: Statement
  readonly prepared: Promise<void>
  /** How many ask it now. */
  users: number
  /** Not to be asked again. */
  isOut: boolean
}

const MOST_KEPT = 200
/** A statement holds what it was given last: what is longer than this is not left with it. */
const LONG = 16_384
/** What is asked about a number of things at once, which is seldom the same number. */
const LONG_SQL = 2_000

export function createStatements(connection: Connection): Statements {
  const kept = new LRUCache<string, Kept>({
    max: MOST_KEPT,
    dispose: (entry) => {
      entry.isOut = true
      giveBack(entry)
    },
  })

  let asking = 0
  let onRest: () => void = () => {}

  return {
    async ask(method, sql, values) {
      if (sql.length > LONG_SQL || lengthOf(values) > LONG)
        return answered((done) => connection[method](sql, values, done))
      const entry = kept.get(sql) ?? prepare(sql)
      entry.users += 1
      asking += 1
      try {
        await entry.prepared
        return await answered((done) => entry.statement[method](values, done))
      } catch (error) {
        // One that failed would hold on to what it has locked until it is asked again.
        if (kept.peek(sql) === entry) kept.delete(sql)
        throw error
      } finally {
        entry.users -= 1
        giveBack(entry)
        asking -= 1
        if (asking === 0) onRest()
      }
    },
    async end() {
      kept.clear()
      if (asking > 0) await new Promise<void>((resolve) => (onRest = resolve))
    },
  }

  function prepare(sql: string): Kept {
    let settle: (error: Error | null) => void = () => {}
    const prepared = new Promise<void>((resolve, reject) => {
      settle = (error) => (error === null ? resolve() : reject(error))
    })
    const entry: Kept = { statement: connection.prepare(sql, settle), prepared, users: 0, isOut: false }
    kept.set(sql, entry)
    return entry
  }
}

function giveBack({ isOut, users, statement }: Kept): void {
  if (isOut && users === 0) statement.finalize()
}

function answered(ask: (done: Done) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    ask(function (error, rows) {
      if (error !== null) return reject(error)
      // Whoever asks the same statement next changes what it tells.
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

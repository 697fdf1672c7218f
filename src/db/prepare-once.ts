import { LRUCache } from 'lru-cache'

/** Of each connection; whatever a service asks ordinarily. */
const MOST_STATEMENTS = 200
/** Characters; longer ones insert many rows, are seldom the same, and take much memory. */
const LONGEST = 4_000

type Done = (this: unknown, error: Error | null, rows?: unknown) => void

/** What is used of a connection of `sqlite3`. */
export interface Connection {
  all(sql: string, values: unknown, done: Done): void
  run(sql: string, values: unknown, done: Done): void
  exec(sql: string, done: (error: Error | null) => void): void
  close(done: (error: Error | null) => void): void
  prepare(sql: string, done: (error: Error | null) => void): Statement
}

interface Statement {
  all(values: unknown, done: Done): void
  run(values: unknown, done: Done): void
  finalize(done: () => void): void
}

interface Prepared {
  readonly statement: Statement
  /** Those who asked before it was prepared, which drops whatever it is asked; null once it is. */
  waiting: ((fault: Error | null) => void)[] | null
  isForgotten: boolean
}

/**
 * Have a connection prepare each statement once: to do it anew each time takes as long as most statements
 * do, and one more turn of this thread.
 */
export function prepareOnce(connection: Connection): void {
  const { all, run, close } = connection
  const known = new LRUCache<string, Prepared>({ max: MOST_STATEMENTS, dispose: forget })

  connection.all = (sql, values, done) => {
    if (sql.length > LONGEST) all.call(connection, sql, values, done)
    else whenPrepared(sql, done, (statement) => statement.all(values, done))
  }
  connection.run = (sql, values, done) => {
    if (sql.length > LONGEST) run.call(connection, sql, values, done)
    else whenPrepared(sql, done, (statement) => statement.run(values, done))
  }
  connection.close = (done) => {
    known.clear()
    close.call(connection, done)
  }

  function whenPrepared(sql: string, done: Done, ask: (statement: Statement) => void): void {
    const { statement, waiting } = known.get(sql) ?? prepare(sql)
    if (waiting === null) ask(statement)
    else waiting.push((fault) => (fault === null ? ask(statement) : done.call(statement, fault)))
  }

  function prepare(sql: string): Prepared {
    const waiting: ((fault: Error | null) => void)[] = []
    const statement = connection.prepare(sql, (fault) => {
      fresh.waiting = null
      for (const tell of waiting) tell(fault)
      if (fault !== null) known.delete(sql)
      else if (fresh.isForgotten) forget(fresh)
    })
    const fresh: Prepared = { statement, waiting, isForgotten: false }
    known.set(sql, fresh)
    return fresh
  }
}

/** Once all that it was asked is done. */
function forget(prepared: Prepared): void {
  prepared.isForgotten = true
  if (prepared.waiting === null) prepared.statement.finalize(() => {})
}

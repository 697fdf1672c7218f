import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../domain/errors.ts'
import { PACKAGE_ROOT } from '../../platform/package-paths.ts'
import type { Connection } from '../statements.ts'
import type { SqliteConnection, SqliteDriver } from './driver.ts'
import type { Command, Reply, Request, ThreadError, ThreadOptions } from './node-sqlite-protocol.ts'

/** The program of a thread. Only a JavaScript file can be started as one. */
const THREAD = join(PACKAGE_ROOT, 'dist/sqlite-thread.js')
/** The primary result codes from 1, in order: https://www.sqlite.org/rescode.html */
const CODES =
  'ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  )

/** SQLite of Node itself. It works synchronously, so each connection has a thread. */
export function createNodeSqliteDriver(): SqliteDriver {
  return {
    name: 'node:sqlite',
    canInterrupt: false,
    open: (file, mode) => openInThread({ file, mode }),
  }
}

async function openInThread(options: ThreadOptions): Promise<SqliteConnection> {
  const worker = new Worker(THREAD, {
    workerData: options,
    // Node 22 prints on standard error that the module is experimental.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const pending = new Map<number, (reply: Reply) => void>()
  let lastId = 0
  let lastStatement = 0
  let ended: Error | null = null

  worker.on('message', (reply: Reply) => settle(reply))
  worker.on('error', (error) => end(messageOf(error)))
  worker.on('exit', (code) => end(`exit code ${code}`))

  const opened = await new Promise<Reply>((resolve) => expect(0, resolve))
  if (opened.error !== null) {
    await worker.terminate()
    throw asError(opened.error)
  }

  return {
    exec: (sql, done) => request({ kind: 'exec', sql }, ({ error }) => done(error)),
    prepare,
    all: (sql, values, done) => executeOnce('all', sql, values, done),
    run: (sql, values, done) => executeOnce('run', sql, values, done),
    interrupt() {},
    copyTo: (to) =>
      new Promise((resolve, reject) =>
        request({ kind: 'copy', to }, ({ error }) => (error === null ? resolve() : reject(error))),
      ),
    close(done) {
      request({ kind: 'close' }, ({ error }) => {
        if (error !== null) done(error)
        else
          worker.terminate().then(
            () => done(null),
            (failure) => done(failure),
          )
      })
    },
  }

  function prepare(sql: string, done: (error: Error | null) => void): Statement {
    const statement = ++lastStatement
    request({ kind: 'prepare', statement, sql }, ({ error }) => done(error))
    return {
      all: (values, done) => request({ kind: 'all', statement, values }, answerTo(done)),
      run: (values, done) => request({ kind: 'run', statement, values }, answerTo(done)),
      finalize: () => request({ kind: 'finalize', statement }, () => {}),
    }
  }

  function executeOnce(method: 'all' | 'run', sql: string, values: readonly unknown[], done: Done): void {
    const statement = prepare(sql, (error) => {
      if (error !== null) return done.call({}, error)
      statement[method](values, function (failure, rows) {
        statement.finalize()
        done.call(this, failure, rows)
      })
    })
  }

  function request(command: Command, done: (answer: Answer) => void): void {
    const id = ++lastId
    expect(id, (reply) => done({ ...reply, error: reply.error === null ? null : asError(reply.error) }))
    worker.postMessage({ id, command } satisfies Request)
  }

  /** An idle connection does not keep the process alive. */
  function expect(id: number, done: (reply: Reply) => void): void {
    pending.set(id, done)
    if (ended === null) worker.ref()
    else settle({ id, error: { message: ended.message, errno: null } })
  }

  function settle(reply: Reply): void {
    const done = pending.get(reply.id)
    pending.delete(reply.id)
    if (pending.size === 0) worker.unref()
    done?.(reply)
  }

  /** `exit` follows every `error`, so the first reason counts. */
  function end(reason: string): void {
    ended ??= new Error(`The thread of a database connection ended (${reason}).`)
    for (const id of pending.keys()) settle({ id, error: { message: ended.message, errno: null } })
  }
}

interface Answer extends Omit<Reply, 'error'> {
  readonly error: Error | null
}

type Statement = ReturnType<Connection['prepare']>
type Done = Parameters<Connection['all']>[2]

function answerTo(done: Done): (answer: Answer) => void {
  return ({ error, rows, lastID = 0, changes = 0 }) => {
    if (rows !== undefined) for (const row of rows) withBuffers(row as Record<string, unknown>)
    done.call({ lastID, changes }, error, rows)
  }
}

/** Bytes arrive as plain arrays: only those survive the way between threads. */
function withBuffers(row: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(row))
    if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

/** Named as the errors of `sqlite3`. */
function asError({ message, errno }: ThreadError): Error {
  const name = errno === null ? undefined : CODES[errno - 1]
  if (name === undefined) return new Error(message)
  return Object.assign(new Error(`SQLITE_${name}: ${message}`), { code: `SQLITE_${name}`, errno })
}

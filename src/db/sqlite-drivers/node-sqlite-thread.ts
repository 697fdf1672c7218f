// The program of a thread with one connection of Node's own SQLite module, which blocks while it works.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../domain/errors.ts'
import type { Command, Reply, Request, ThreadError, ThreadOptions } from './node-sqlite-protocol.ts'

/** The part of `node:sqlite` that is used; the types of Node 20 do not have it. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: Record<string, unknown>) => DatabaseSync
  backup(database: DatabaseSync, to: string, options: { readonly rate: number }): Promise<number>
}

interface DatabaseSync {
  exec(sql: string): void
  prepare(sql: string): StatementSync
  close(): void
}

interface StatementSync {
  all(...values: readonly unknown[]): readonly unknown[]
  run(...values: readonly unknown[]): { readonly lastInsertRowid: number; readonly changes: number }
}

/** Default settings of `sqlite3`, so that both drivers read and write alike. */
const LIKE_SQLITE3 = {
  enableForeignKeyConstraints: false,
  enableDoubleQuotedStringLiterals: true,
  /** Milliseconds to wait for a lock. */
  timeout: 1_000,
}
const SQLITE_CANTOPEN = 14
/** A backup that copies fewer pages at a time begins again after each write of another process. */
const ALL_PAGES = 2 ** 31 - 1

/** No bytes, at an address: Node 22 takes bytes without one for NULL. */
const NO_BYTES = new Uint8Array(new ArrayBuffer(1), 0, 0)

const { DatabaseSync, backup } = createRequire(import.meta.url)('node:sqlite') as NodeSqlite

if (parentPort !== null) await serve(parentPort, workerData)

async function serve(port: MessagePort, { file, mode }: ThreadOptions): Promise<void> {
  const statements = new Map<number, StatementSync>()
  const reply = async (id: number, work: () => Promise<Omit<Reply, 'id' | 'error'>>) => {
    try {
      port.postMessage({ id, error: null, ...(await work()) } satisfies Reply)
    } catch (error) {
      port.postMessage({ id, error: threadError(error) } satisfies Reply)
    }
  }

  let database: DatabaseSync
  await reply(0, async () => {
    if (mode === 'existing' && !existsSync(file))
      throw Object.assign(new Error('unable to open database file'), { errcode: SQLITE_CANTOPEN })
    database = new DatabaseSync(file, LIKE_SQLITE3)
    return {}
  })
  port.on('message', ({ id, command }: Request) => reply(id, () => execute(command)))

  async function execute(command: Command): Promise<Omit<Reply, 'id' | 'error'>> {
    switch (command.kind) {
      case 'exec':
        database.exec(command.sql)
        return {}
      case 'prepare':
        statements.set(command.statement, database.prepare(command.sql))
        return {}
      case 'all':
        return { rows: prepared(command.statement).all(...command.values.map(bindable)) }
      case 'run': {
        const { lastInsertRowid, changes } = prepared(command.statement).run(...command.values.map(bindable))
        return { lastID: lastInsertRowid, changes }
      }
      case 'finalize':
        // SQLite finalizes it once it is collected, or when the connection closes.
        statements.delete(command.statement)
        return {}
      case 'copy':
        await backup(database, command.to, { rate: ALL_PAGES })
        return {}
      case 'close':
        database.close()
        return {}
    }
  }

  function prepared(id: number): StatementSync {
    const statement = statements.get(id)
    if (statement === undefined) throw new Error(`Statement ${id} is not prepared.`)
    return statement
  }
}

/** Converts a value as `sqlite3` binds it: 32-bit integers as such, other numbers as floating-point ones. */
function bindable(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'boolean') return BigInt(value)
  if (value instanceof Date) return value.getTime()
  if (value instanceof Uint8Array && value.length === 0) return NO_BYTES
  return typeof value === 'number' && (value | 0) === value ? BigInt(value) : value
}

function threadError(error: unknown): ThreadError {
  const hasCode = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  // The low byte of an extended code is its primary one: https://www.sqlite.org/rescode.html
  return { message: messageOf(error), errno: hasCode ? Number(error.errcode) & 0xff : null }
}

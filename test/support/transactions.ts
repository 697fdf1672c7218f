import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import files from 'node:fs/promises'
import { createRequire, syncBuiltinESMExports } from 'node:module'

/*
 * Finds calls of a store, of a file system or over HTTP within a transaction of a database, which would hold its locks,
 * and queries that a transaction sends before the answer to its previous one, which the driver of PostgreSQL will refuse.
 */

interface Transaction {
  isOpen: boolean
}

const current = new AsyncLocalStorage<Transaction>()
const found = new Set<string>()

/** The calls and overlapping queries within transactions since the last call, with the line of each. */
export function takeCallsInTransactions(): readonly string[] {
  const calls = [...found]
  found.clear()
  return calls
}

let isWatching = false

/** Watches all transactions and queries of Knex, and calls of `node:fs/promises`, `node:http` and Undici, from its first call on. */
export function watchTransactions(): void {
  if (isWatching) return
  isWatching = true
  const { prototype } = createRequire(import.meta.url)('knex/lib/execution/transaction.js')
  const acquire = prototype._onAcquire
  prototype._onAcquire = function watched(container: (trx: unknown) => unknown, connection: unknown) {
    const work = (trx: unknown) => {
      const transaction = { isOpen: true }
      const result = current.run(transaction, () => container(trx))
      // Without a promise, the transaction is one that its caller commits later.
      if (!(result instanceof Promise)) {
        transaction.isOpen = false
        return result
      }
      return result.finally(() => {
        transaction.isOpen = false
      })
    }
    return acquire.call(this, work, connection)
  }
  const { prototype: client } = createRequire(import.meta.url)('knex/lib/client.js')
  const query = client.query
  const busy = new WeakSet<object>()
  client.query = async function watched(connection: object, ...given: unknown[]) {
    if (busy.has(connection)) record('a query before the answer to another one')
    busy.add(connection)
    try {
      return await query.call(this, connection, ...given)
    } finally {
      busy.delete(connection)
    }
  }
  for (const [name, call] of Object.entries(files)) {
    if (typeof call !== 'function') continue
    Object.assign(files, {
      [name](...given: unknown[]) {
        record(`${name} of node:fs/promises`)
        return Reflect.apply(call, files, given)
      },
    })
  }
  syncBuiltinESMExports()
  for (const channel of ['http.client.request.start', 'undici:request:create'])
    subscribe(channel, () => record(`a request (${channel})`))
}

function record(call: string): void {
  if (current.getStore()?.isOpen !== true) return
  const lines = new Error().stack?.split('\n') ?? []
  const own = lines.find((line) => line.includes('/src/')) ?? lines.at(-1) ?? ''
  found.add(`${call} ${own.trim()}`)
}

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Connections } from '../../src/db/connections.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'
import { newDatabase } from '../support/new-database.ts'
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { takeCallsInTransactions } from '../support/transactions.ts'

/* Every test of this suite fails when a transaction of its services calls a store or a network, or runs two queries at once: see `support/laws.ts`. */

const programs = postgresPrograms()
let postgres: PostgresServer | null = null
beforeAll(async () => {
  if (programs !== null) postgres = await startPostgres(programs)
})
afterAll(() => postgres?.stop())

const databases: readonly [string, () => Promise<Connections>][] = [
  ['SQLite', newDatabase],
  ...(programs === null
    ? []
    : [
        [
          'PostgreSQL',
          async () => {
            const connections = openPostgres(postgres?.url ?? '')
            await connections.writer.raw('CREATE TABLE IF NOT EXISTS write_gate ()')
            return connections
          },
        ] satisfies [string, () => Promise<Connections>],
      ]),
]

describe.each(databases)('a call within a transaction on %s is found', (_, open) => {
  async function callsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
    const { transact, close } = await open()
    onTestFinished(close)
    await transact(async (trx) => {
      await trx.raw('SELECT 1')
      await work()
    })
    return takeCallsInTransactions()
  }

  test('when it is of a store in a folder', async () => {
    const store = createLocalFolderStorage({ root: await temporaryFolder() })
    const calls = await callsOf(() => store.put({ key: 'a', body: Buffer.from('a') }))
    expect(calls.join('\n')).toContain('src/storage/')
  })

  test('when it is made over HTTP', async () => {
    const server = createServer((_, answer) => answer.end())
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const calls = await callsOf(async () => (await fetch(`http://127.0.0.1:${port}/`)).text())
    expect(calls).toEqual([expect.stringContaining('a request')])
  })

  test('when it is of the database, before the answer to the previous one', async () => {
    const { transact, close } = await open()
    onTestFinished(close)
    await transact((trx) => Promise.all([trx.raw('SELECT 1'), trx.raw('SELECT 2')]))
    expect(takeCallsInTransactions()).toEqual([expect.stringContaining('a query before')])
  })

  test('but not after it', async () => {
    const { transact, close } = await open()
    onTestFinished(close)
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const later = await transact(async () => [ended.then(() => readFile(import.meta.filename))])
    end()
    await Promise.all(later)
    expect(takeCallsInTransactions()).toEqual([])
  })
})

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connections } from '../../src/db/connections.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { preparePostgres } from '../../src/db/postgres-server.ts'
import { createAnswerTime, withinAnswerTime } from '../../src/platform/answer-time.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'

const programs = postgresPrograms()

describe.skipIf(programs === null)('a transaction on PostgreSQL', () => {
  let server: PostgresServer
  let url: string
  let db: Connections
  let schemas = 0
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    url = await createSchema(server.url, `test_${++schemas}`)
    db = openPostgres(url)
    await db.writer.raw('CREATE TABLE write_gate ()')
    await db.writer.raw('CREATE TABLE notes (id serial PRIMARY KEY, text text UNIQUE)')
  })
  afterEach(() => db.close())

  const add = (connections: Connections, text: string) =>
    connections.transact(async (trx) => {
      await trx('notes').insert({ text })
    })
  const texts = () => db.writer('notes').orderBy('text').pluck<string[]>('text')

  test('runs again when its connection is cut, so that each write is stored once', async () => {
    const expected = Array.from({ length: 100 }, (_, n) => `note ${String(n).padStart(3, '0')}`)
    for (let start = 0; start < expected.length; start += 10)
      await Promise.all([...expected.slice(start, start + 10).map((text) => add(db, text)), cut()])
    expect(await texts()).toEqual(expected)

    async function cut(): Promise<void> {
      await db.reader.raw(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quoin' AND pid <> pg_backend_pid()",
      )
    }
  })

  test.each([
    ['before the server gets it', false],
    ['after it was stored', true],
  ])(
    'is stored once when its commit gets no answer, also when the connection is cut %s',
    async (_, arrives) => {
      const proxy = await cuttingProxy(new URL(url), arrives)
      const through = new URL(url)
      through.port = String((proxy.address() as AddressInfo).port)
      const remote = openPostgres(through.href)
      await add(remote, 'one')
      await remote.close()
      proxy.close()
      expect(await texts()).toEqual(['one'])
      // The second attempt takes another number.
      expect(await db.writer('notes').pluck('id')).toEqual([arrives ? 1 : 2])
    },
  )

  test('runs again when another one took its name meanwhile, and sees it', async () => {
    const free = (n = 1): Promise<string> =>
      db.transact(async (trx) => {
        const taken = await trx('notes').pluck<string[]>('text')
        let name = n
        while (taken.includes(String(name))) name++
        await trx('notes').insert({ text: String(name) })
        return String(name)
      })
    expect((await Promise.all([free(), free(), free(), free()])).sort()).toEqual(['1', '2', '3', '4'])
  })

  test('needs about two attempts when 40 writers change one row at once, not one for each of the others', async () => {
    await add(db, 'one')
    let attempts = 0
    const change = () =>
      db.transact(async (trx) => {
        attempts++
        const row = await trx('notes').first('id', 'text')
        await trx('notes')
          .where({ id: row.id })
          .update({ text: `${row.text}.` })
      })
    await Promise.all(Array.from({ length: 40 }, change))
    expect(await texts()).toEqual([`one${'.'.repeat(40)}`])
    expect(attempts).toBeLessThan(2.5 * 40)
  })

  test('is stored when it is long, however many short ones of two processes change what it reads', async () => {
    for (let n = 0; n < 10; n++) await add(db, `${n}`)
    const other = openPostgres(url)
    let isDone = false
    const writers = [db, db, db, other, other, other].map(async (connections, n) => {
      for (let round = 0; !isDone; round++)
        await connections.transact(async (trx) => {
          const ids = await trx('notes').orderBy('id').pluck<number[]>('id')
          await trx('notes')
            .where({ id: ids[n] })
            .update({ text: `${n}, round ${round}` })
        })
    })
    const long = db.transact(async (trx) => {
      const rows: { id: number; text: string }[] = await trx('notes').orderBy('id')
      for (const { id, text } of rows) {
        await trx.raw('SELECT pg_sleep(0.05)')
        await trx('notes')
          .where({ id })
          .update({ text: `${text}, long` })
      }
      return rows.length
    })
    const changed = await long.finally(() => {
      isDone = true
    })
    await Promise.all(writers)
    await other.close()
    expect(changed).toBe(10)
    expect((await texts()).filter((text) => text.endsWith(', long')).length).toBeGreaterThan(3)
  })

  test('is given up with the waits of its request, whatever holds it, and is never stored later', async () => {
    const other = openPostgres(url)
    /** A request that has 300 ms left. */
    const late = <Result>(work: () => Promise<Result>) => {
      let now = 0
      const time = createAnswerTime(() => now)
      now = 13_700
      return withinAnswerTime(time, work)
    }
    for (const table of ['notes', 'write_gate']) {
      const holding = await other.writer.transaction()
      await holding.raw(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
      const began = performance.now()
      await expect(late(() => add(db, table))).rejects.toThrow('Nothing was changed')
      expect(performance.now() - began).toBeLessThan(5_000)
      await holding.rollback()
    }
    // It got its lock in time, and works for too long.
    const slow = late(() =>
      db.transact(async (trx) => {
        await trx('notes').insert({ text: 'slow' })
        await trx.raw('SELECT pg_sleep(1)')
      }),
    )
    await expect(slow).rejects.toThrow('Nothing was changed')
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await other.close()
    expect(await texts()).toEqual([])
  })

  test('waits for others of its name when it runs alone, and never fails', async () => {
    let running = 0
    let attempts = 0
    const one = () =>
      db.transact(
        async (trx) => {
          attempts++
          expect(++running).toBe(1)
          const [{ total } = { total: 0 }] = await trx('notes').count({ total: '*' })
          await trx('notes').insert({ text: String(total) })
          running--
        },
        undefined,
        { alone: 'count' },
      )
    await Promise.all(Array.from({ length: 20 }, one))
    expect({ attempts, stored: (await texts()).length }).toEqual({ attempts: 20, stored: 20 })
  })

  test('fails with an error that asks for another try while the server is away', async () => {
    const away = new URL(url)
    away.port = '1'
    const remote = openPostgres(away.href)
    await expect(remote.transact((trx) => trx.raw('SELECT 1'), 500)).rejects.toMatchObject({
      name: 'service_unavailable',
      message: expect.stringContaining('cannot be reached'),
    })
    await expect(remote.reader.raw('SELECT 1')).rejects.toMatchObject({ name: 'service_unavailable' })
    await remote.close()
  })

  test('happens once when five processes migrate at once', async () => {
    const fresh = await createSchema(server.url, 'migrated')
    const started = await Promise.all(Array.from({ length: 5 }, () => preparePostgres(fresh, migrate)))
    expect(new Set(started.map(({ name }) => name)).size).toBe(1)
    expect(started[0]?.name).toMatch(/^PostgreSQL \d+\.\d+ \(postgres on 127\.0\.0\.1\)$/)
  })

  test.each([
    [
      'a port where nothing listens',
      (target: URL) => (target.port = '1'),
      /127\.0\.0\.1:1\/postgres.*ECONNREFUSED/,
    ],
    ['a database that does not exist', (target: URL) => (target.pathname = '/none'), /"none" does not exist/],
    ['a user that does not exist', (target: URL) => (target.username = 'nobody'), /"nobody" does not exist/],
  ])(
    'cannot begin on %s, which the start says in one line without the password',
    async (_, change, message) => {
      const target = new URL(url)
      target.password = 'sesame'
      change(target)
      const error = await preparePostgres(target.href, migrate).catch((thrown: Error) => thrown)
      expect(error).toMatchObject({ message: expect.stringMatching(message) })
      expect(String((error as Error).message)).not.toMatch(/sesame|\n/)
    },
  )
})

/** Forwards connections, and cuts the first one that commits, before or after the server gets that. */
async function cuttingProxy(target: URL, arrives: boolean): Promise<Server> {
  let hasCut = false
  const proxy = createServer((client: Socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    upstream.on('error', () => {})
    client.on('error', () => {})
    client.on('close', () => upstream.end())
    upstream.on('data', (bytes) => client.write(bytes))
    client.on('data', (bytes) => {
      const isCut = !hasCut && bytes.includes('COMMIT')
      hasCut ||= isCut
      if (isCut) client.destroy()
      if (!isCut || arrives) upstream.write(bytes)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', () => resolve()))
  return proxy
}

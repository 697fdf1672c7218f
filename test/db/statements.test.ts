import { existsSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { takeCallsInTransactions } from '../support/transactions.ts'

/** Linux lists the open files of this process here. */
const OPEN = '/proc/self/fd'

async function opened(file: string): Promise<number> {
  const links = (await readdir(OPEN)).map((name) => readlink(join(OPEN, name)).catch(() => ''))
  return (await Promise.all(links)).filter((path) => path.startsWith(file)).length
}

/** Queries overlap here on purpose: the program sends them one after the other, and the driver must not depend on it. */
function forgetOverlaps(): void {
  expect(takeCallsInTransactions()).not.toEqual([])
}

async function begin() {
  const file = join(await temporaryFolder(), 'quoin.db')
  const { writer, reader } = openSqlite(file)
  const close = () => Promise.all([writer.destroy(), reader.destroy()])
  onTestFinished(async () => void (await close()))
  await writer.raw('CREATE TABLE notes (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT)')
  return { file, writer, reader, close }
}

test('concurrent statements return their own results', async () => {
  const { writer, reader } = await begin()
  const names = Array.from({ length: 300 }, (_, index) => `n${index}`)
  const told = await Promise.all(names.map((name) => writer('notes').insert({ name, text: name })))
  expect(new Set(told.map(([id]) => id)).size).toBe(names.length)
  const found = await Promise.all(names.map((name) => reader('notes').where({ name }).first('text')))
  expect(found.map(({ text }) => text)).toEqual(names)
  const changed = await Promise.all(
    names.map((name, index) => writer('notes').whereIn('name', names.slice(0, index)).update({ text: name })),
  )
  expect(changed).toEqual(names.map((_, index) => index))
})

test('a bound value is the last one given, of any length, and null when it is missing', async () => {
  const { writer } = await begin()
  await writer('notes').insert({ id: 1 })
  const text = fc.oneof(fc.string(), fc.constant(null), fc.constant('x'.repeat(40_000)))
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      await writer('notes').where({ id: 1 }).update({ text: given })
      expect(await writer('notes').where({ id: 1 }).pluck('text')).toEqual([given])
    }),
  )
})

test('a statement works again after it failed, and does not block other writers', async () => {
  const { file, writer } = await begin()
  const other = openSqlite(file)
  onTestFinished(async () => void (await Promise.all([other.writer.destroy(), other.reader.destroy()])))
  await writer('notes').insert({ name: 'taken' })
  for (let round = 0; round < 3; round += 1) {
    await expect(writer('notes').insert({ name: 'taken' })).rejects.toThrow(/UNIQUE constraint failed/)
    await expect(
      writer.transaction(async (trx) => {
        await trx('notes').insert({ name: `lost ${round}` })
        await trx('notes').insert({ name: 'taken' })
      }),
    ).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' })
    await other.writer('notes').insert({ name: `other ${round}` })
    await writer('notes').insert({ name: `kept ${round}` })
  }
  expect(await writer('notes').orderBy('name').pluck('name')).toEqual([
    'kept 0',
    'kept 1',
    'kept 2',
    'other 0',
    'other 1',
    'other 2',
    'taken',
  ])
})

test('concurrent calls of an invalid statement all fail', async () => {
  const { writer } = await begin()
  const asked = Array.from({ length: 5 }, () => writer('later').select())
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected')
  await writer.raw('CREATE TABLE later (id INTEGER)')
  expect(await writer('later').select()).toEqual([])
})

test('a cached statement reads the changes of other connections', async () => {
  const { writer, reader } = await begin()
  await writer('notes').insert({ id: 1, name: 'one' })
  expect(await reader('notes').select()).toEqual([{ id: 1, name: 'one', text: null }])
  await writer.raw('ALTER TABLE notes ADD COLUMN more TEXT')
  expect(await reader('notes').select()).toEqual([{ id: 1, name: 'one', text: null, more: null }])
})

test('more statements than the cache holds all work, and the file can be closed and opened again', async () => {
  const { file, writer, reader, close } = await begin()
  const sums = Array.from({ length: 700 }, (_, index) => reader.raw(`SELECT ${index} + ? AS sum`, [index]))
  expect((await Promise.all(sums)).map(([{ sum }]) => sum)).toEqual(sums.map((_, index) => 2 * index))
  await writer('notes').insert({ name: 'kept' })
  await close()
  const again = openSqlite(file)
  onTestFinished(async () => void (await Promise.all([again.writer.destroy(), again.reader.destroy()])))
  expect(await again.writer('notes').pluck('name')).toEqual(['kept'])
})

describe('within one transaction', () => {
  test('one statement can run concurrently with itself and with many others', async () => {
    const { writer } = await begin()
    const sums = Array.from({ length: 600 }, (_, index) => index)
    const told = await writer.transaction((trx) =>
      Promise.all(
        sums.map(async (index) => {
          const [{ sum }] = await trx.raw(`SELECT ${index % 300} + ? AS sum`, [index])
          const [id] = await trx('notes').insert({ name: `n${index}` })
          const [{ name }] = await trx('notes').where({ id }).select('name')
          return [sum, name]
        }),
      ),
    )
    expect(told).toEqual(sums.map((index) => [(index % 300) + index, `n${index}`]))
    forgetOverlaps()
  })

  test('concurrent calls of an invalid statement all fail, and the connection can close while others run', async () => {
    const { file, writer, close } = await begin()
    const slow =
      'WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < ?) SELECT count(*) FROM up'
    const asked = writer.transaction((trx) =>
      Promise.all([
        ...Array.from({ length: 5 }, () => trx('later').select()),
        ...Array.from({ length: 50 }, (_, index) => trx.raw(`${slow} AS it${index}`, [20_000])),
      ]),
    )
    await expect(asked).rejects.toThrow('no such table: later')
    await close()
    if (existsSync(OPEN)) await expect.poll(() => opened(file)).toBe(0)
    forgetOverlaps()
  })
})

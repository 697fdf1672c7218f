import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function database() {
  const { writer, reader } = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => Promise.all([writer.destroy(), reader.destroy()]).then(() => {}))
  await writer.schema.createTable('numbers', (table) => table.integer('n').primary())
  return { writer, reader }
}

test('a statement is answered for its own values, however often and at once it is sent', async () => {
  const { writer } = await database()
  const add = (n: number) => writer('numbers').insert({ n })
  for (let n = 0; n < 30; n++) await add(n)
  const asked = Array.from({ length: 30 }, (_, n) => n)
  expect(await Promise.all(asked.map((n) => writer('numbers').where({ n }).pluck('n')))).toEqual(
    asked.map((n) => [n]),
  )
  const removed = asked.map((n) => writer('numbers').where('n', '<', n).delete())
  expect(await Promise.all(removed)).toEqual([0, ...asked.slice(1).map(() => 1)])
})

test('of more statements than are remembered each is answered', async () => {
  const { writer } = await database()
  const asked = Array.from({ length: 700 }, (_, n) => n)
  const answers = await Promise.all(asked.map((n) => writer.raw(`SELECT ${n} AS n`)))
  expect(answers.flat().map(({ n }) => n)).toEqual(asked)
})

test('a statement says each time what is wrong with it, and works once that is mended', async () => {
  const { writer } = await database()
  const read = () => writer('letters').pluck('a')
  for (let time = 0; time < 3; time++) await expect(read()).rejects.toThrow('no such table: letters')
  await expect(Promise.allSettled([read(), read()])).resolves.toMatchObject([
    { reason: { message: expect.stringContaining('no such table: letters') } },
    { reason: { message: expect.stringContaining('no such table: letters') } },
  ])
  await writer.schema.createTable('letters', (table) => table.string('a'))
  expect(await read()).toEqual([])
  await writer.schema.alterTable('letters', (table) => table.string('b'))
  await writer('letters').insert({ a: 'x', b: 'y' })
  expect(await writer('letters').where({ a: 'x' }).first()).toEqual({ a: 'x', b: 'y' })
})

test('a statement that fails leaves the next one of its kind as it should be', async () => {
  const { writer, reader } = await database()
  const add = (n: number) => writer('numbers').insert({ n })
  await add(1)
  for (let time = 0; time < 3; time++) await expect(add(1)).rejects.toThrow('UNIQUE constraint failed')
  await add(2)
  expect(await reader('numbers').orderBy('n').pluck('n')).toEqual([1, 2])
  await expect(reader('numbers').insert({ n: 3 })).rejects.toThrow('readonly')
  expect(await reader('numbers').orderBy('n').pluck('n')).toEqual([1, 2])
})

test('a reader sees what was written since it asked the same before', async () => {
  const { writer, reader } = await database()
  for (let n = 0; n < 20; n++) {
    await writer.transaction((trx) => trx('numbers').insert({ n }))
    const seen = await Promise.all([1, 2, 3, 4].map(() => reader('numbers').max('n as last').first()))
    expect(seen).toEqual([1, 2, 3, 4].map(() => ({ last: n })))
  }
})

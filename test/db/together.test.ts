import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { together } from '../../src/db/together.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NUMBERS = Array.from({ length: 40 }, (_, n) => n)

async function database() {
  const { writer } = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => writer.destroy())
  await writer.schema.createTable('numbers', (table) => table.integer('n').primary())
  return writer
}

test('statements that are sent together are all done, and answered in their order', async () => {
  const writer = await database()
  const counts = await writer.transaction(async (trx) => {
    await together(NUMBERS.map((n) => trx('numbers').insert({ n })))
    return together(NUMBERS.map((n) => trx('numbers').where('n', '<', n).pluck('n')))
  })
  expect(counts.map(({ length }) => length)).toEqual(NUMBERS)
  expect(await writer('numbers').pluck('n')).toEqual(NUMBERS)
})

test.each([0, 20, 39])(
  'of statements that are sent together nothing is left when that at %i fails',
  async (at) => {
    const writer = await database()
    await writer('numbers').insert({ n: 100 })
    const failing = writer.transaction((trx) =>
      together(NUMBERS.map((n) => trx('numbers').insert({ n: n === at ? 100 : n }))),
    )
    await expect(failing).rejects.toThrow('UNIQUE constraint failed')
    expect(await writer('numbers').pluck('n')).toEqual([100])
  },
)

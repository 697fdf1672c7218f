import { expect, onTestFinished, test } from 'vitest'
import { watchQueries } from '../../src/db/slow-queries.ts'
import { newDatabase } from '../support/new-database.ts'

test('a query that takes more than a second is reported without its values, also one that fails in a transaction', async () => {
  const { writer, transact, close } = await newDatabase()
  onTestFinished(close)
  let now = 0
  const slow: unknown[] = []
  watchQueries(
    writer,
    () => now,
    (query) => slow.push(query),
  )
  await writer.raw('SELECT ? AS a', ['secret'])
  expect(slow).toEqual([])

  writer.on('query', () => (now += 1_500))
  await writer.raw('SELECT ? AS b', ['secret'])
  const failed = transact((trx) => trx.raw('SELECT missing FROM pages WHERE id = ?', ['secret']))
  await expect(failed).rejects.toThrow('missing')
  expect(slow).toContainEqual({ sql: 'SELECT ? AS b', ms: 1500 })
  expect(slow).toContainEqual({ sql: 'SELECT missing FROM pages WHERE id = ?', ms: 1500 })
  expect(JSON.stringify(slow)).not.toContain('secret')
})

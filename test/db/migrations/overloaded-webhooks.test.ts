import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MIGRATIONS, migrate } from '../../../src/db/migrate.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a webhook that was switched off for its pending messages has the reason of today', async () => {
  const { writer: db, close } = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(close)
  const at = MIGRATIONS.findIndex(({ name }) => name === '004-overloaded-webhooks')
  await migrate(db, MIGRATIONS.slice(0, at))
  await db.raw('PRAGMA foreign_keys = OFF')
  const columns = await db('webhooks').columnInfo()
  for (const [id, off_reason] of [
    ['a', 'swamped'],
    ['b', 'gone'],
    ['c', null],
  ] as const) {
    const filled = Object.entries(columns).map(([name, { type }]) => [name, /int|bool/i.test(type) ? 0 : ''])
    await db('webhooks').insert({ ...Object.fromEntries(filled), id, off_reason })
  }

  expect(await migrate(db, MIGRATIONS.slice(0, at + 1))).toEqual(['004-overloaded-webhooks'])
  expect(await db('webhooks').orderBy('id').pluck('off_reason')).toEqual(['overloaded', 'gone', null])
})

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { up as foundation } from '../../../src/db/migrations/001-foundation.ts'
import { up as startedDeploys } from '../../../src/db/migrations/018-started-deploys.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a release that an earlier version was publishing cannot be withdrawn, since its files may be written', async () => {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  const database = createDatabase(connections)
  onTestFinished(() => database.close())
  const db = connections.writer
  await foundation(db)
  await db.raw('PRAGMA foreign_keys = OFF')
  for (const state of ['queued', 'claimed', 'reverting', 'live', 'failed'])
    await db('releases').insert({
      id: state,
      project_id: 'p',
      page_id: 'page',
      op: 'publish',
      state,
      snapshot: '{}',
      settings_digest: '',
      lenient: false,
      strict: false,
      in_history: true,
      created_at: '',
    })
  await startedDeploys(db)
  const marked = await db('releases').where({ is_deploying: true }).orderBy('id').pluck('id')
  expect(marked).toEqual(['claimed', 'reverting'])
})

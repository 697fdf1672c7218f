import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { up as invitations } from '../../../src/db/migrations/064-invitations.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW = '2026-01-01T00:00:00.000Z'

test('members from before stay members, and people without an account are invited for 14 days more', async () => {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => createDatabase(connections).close())
  const db = connections.writer
  await db.schema.createTable('mails', (table) => void table.string('id', 16).primary())
  await db.schema.createTable('members', (table) => {
    table.string('id', 16).primary()
    table.string('user_id', 16)
    table.string('created_at', 24)
  })
  await db('members').insert({ id: 'member', user_id: 'user', created_at: NOW })
  await db('members').insert({ id: 'waiting', user_id: null, created_at: NOW })
  await invitations(db)
  const [member, waiting] = await db('members').orderBy('id').select('state', 'invited_at', 'expires_at')
  expect(member).toEqual({ state: 'active', invited_at: null, expires_at: null })
  expect(waiting).toMatchObject({ state: 'invited', invited_at: NOW })
  expect(Date.parse(waiting.expires_at) - Date.now()).toBeGreaterThan(13 * 24 * 60 * 60 * 1000)
})

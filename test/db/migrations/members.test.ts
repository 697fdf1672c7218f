import { join } from 'node:path'
import type { Knex } from 'knex'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { up as foundation } from '../../../src/db/migrations/001-foundation.ts'
import { up as accountUsage } from '../../../src/db/migrations/003-account-usage.ts'
import { up as members } from '../../../src/db/migrations/025-members.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW = '2026-01-01T00:00:00.000Z'

async function before(): Promise<Knex> {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => createDatabase(connections).close())
  await foundation(connections.writer)
  await accountUsage(connections.writer)
  await connections.writer.raw('PRAGMA foreign_keys = OFF')
  return connections.writer
}

test('users from before are found by their address in any capitals, also two that differ only in them', async () => {
  const db = await before()
  const emails = ['Zoë@Example.com', 'zoë@example.com', 'bob@example.com']
  for (const [n, email] of emails.entries())
    await db('users').insert({ id: `user-${n}`, email, can_create_projects: true, created_at: NOW })
  await members(db)
  expect(await db('users').orderBy('id').pluck('email_key')).toEqual([
    'zoë@example.com',
    'zoë@example.com',
    'bob@example.com',
  ])
})

test('pages from before have no creator, and accounts no members', async () => {
  const db = await before()
  await db('project_usage').insert({ project_id: 'p', user_id: 'u' })
  await db('pages').insert({
    ...{ id: 'page', project_id: 'p', title: 'T', slug: 's', subroute: '', type: 'docs', status: 'draft' },
    ...{ description: '', meta: '{}', config: '{}', markdown: '', own_fields: '{}', sections_count: 0 },
    ...{ word_count: 0, content_digest: '', created_at: NOW, updated_at: NOW, version: 1 },
  })
  await members(db)
  expect(await db('pages').first('id', 'created_by')).toEqual({ id: 'page', created_by: null })
  expect((await db('project_usage').first()).members).toBe(0)
})

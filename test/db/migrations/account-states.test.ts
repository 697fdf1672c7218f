import { join } from 'node:path'
import type { Knex } from 'knex'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { up as foundation } from '../../../src/db/migrations/001-foundation.ts'
import { up as accountUsage } from '../../../src/db/migrations/003-account-usage.ts'
import { up as sessions } from '../../../src/db/migrations/024-sessions.ts'
import { up as members } from '../../../src/db/migrations/025-members.ts'
import { up as auditLog } from '../../../src/db/migrations/026-audit-log.ts'
import { up as accountStates } from '../../../src/db/migrations/057-account-states.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const LATER = '2026-02-01T00:00:00.000Z'

async function before(): Promise<Knex> {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => createDatabase(connections).close())
  const { writer } = connections
  for (const up of [foundation, accountUsage, sessions, members, auditLog]) await up(writer)
  await writer.raw('PRAGMA foreign_keys = OFF')
  return writer
}

async function newUser(db: Knex, id: string, email: string, more: object = {}): Promise<void> {
  await db('users').insert({ id, email, can_create_projects: false, created_at: NOW, ...more })
}

const owned = async (db: Knex) =>
  Object.fromEntries(
    (await db('users').where({ owns_address: true }).orderBy('id')).map(({ id, email_key }) => [
      id,
      email_key,
    ]),
  )

test('of users with one address, the one that signed in last has it, and the others have none', async () => {
  const db = await before()
  await newUser(db, 'first', 'ada@example.com', { password_hash: 'hash' })
  await newUser(db, 'last', 'Ada@example.com', { password_hash: 'hash' })
  await newUser(db, 'never', 'ADA@example.com')
  await newUser(db, 'bob', 'bob@bücher.example')
  const session = (id: string, user_id: string, used_at: string) => ({
    ...{ id, user_id, token_hash: id, created_at: NOW, used_at, expires_at: LATER },
    ...{ address: '192.0.2.1', user_agent: '' },
  })
  await db('sessions').insert([session('a', 'first', NOW), session('b', 'last', LATER)])
  await accountStates(db)
  expect(await owned(db)).toEqual({
    last: 'ada@example.com',
    bob: 'bob@xn--bcher-kva.example',
  })
  await expect(newUser(db, 'new', 'new@example.com', { email_key: 'ada@example.com' })).rejects.toThrow()
})

test('a sign-in that only the audit log remembers counts, and after it a password, and after that the age', async () => {
  const db = await before()
  await newUser(db, 'a', 'ada@example.com', { password_hash: 'hash' })
  await newUser(db, 'b', 'Ada@example.com', { password_hash: 'hash' })
  await db('audit_log').insert({
    ...{ id: 'x', created_at: NOW, user_id: 'b', act: 'session.start', target: 's', actor: '{}' },
  })
  await newUser(db, 'c', 'Bob@example.com')
  await newUser(db, 'd', 'bob@example.com', { password_hash: 'hash' })
  await newUser(db, 'e', 'eve@example.com')
  await newUser(db, 'f', 'Eve@example.com')
  await accountStates(db)
  expect(await owned(db)).toEqual({
    ...{ b: 'ada@example.com', d: 'bob@example.com', e: 'eve@example.com' },
  })
})

test('addresses of people who signed in are verified; that of the first user and of unused invitations are not', async () => {
  const db = await before()
  await newUser(db, 'first', 'owner@localhost', { password_hash: 'hash', can_create_projects: true })
  await newUser(db, 'person', 'ada@example.com', { password_hash: 'hash' })
  await newUser(db, 'creator', 'bob@example.com', { can_create_projects: true })
  await newUser(db, 'invited', 'eve@example.com')
  await accountStates(db)
  const verified = await db('users').whereNotNull('verified_at').orderBy('id').pluck('id')
  expect(verified).toEqual(['creator', 'person'])
})

test('an invitation of a domain outside ASCII waits for every spelling of it', async () => {
  const db = await before()
  const member = (id: string, email: string) => ({
    ...{ id, project_id: 'p', email, user_id: null, role: 'viewer', version: 1 },
    ...{ created_at: NOW, updated_at: NOW },
  })
  await db('members').insert([member('m', 'ada@bücher.example'), member('n', 'zoë@example.com')])
  await accountStates(db)
  expect(await db('members').orderBy('id').pluck('email')).toEqual([
    'ada@xn--bcher-kva.example',
    'zoë@example.com',
  ])
})

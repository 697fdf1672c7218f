import type { Knex } from 'knex'
import { beforeEach, expect, test } from 'vitest'
import { MIGRATIONS, type Migration, migrate, pendingMigrations } from '../../src/db/migrate.ts'
import { createServerPresence } from '../../src/db/server-presence.ts'
import { newDatabase } from '../support/new-database.ts'

let db: Knex
beforeEach(async () => {
  const { writer, close } = await newDatabase()
  db = writer
  return close
})

const SERVER = { machine: null, role: null, settings: null }
const later: Migration = {
  name: '999-later',
  up: (trx) => trx.schema.createTable('later', (table) => void table.string('id').primary()),
}

test('a migration that servers of an older version could not bear waits until none runs', async () => {
  const presence = createServerPresence(db)
  await presence.announce('server', SERVER)
  expect(await migrate(db)).toEqual([])

  const lastSeen = (seconds: number) =>
    db('servers').update({ seen_at: new Date(Date.now() - 1000 * seconds).toISOString() })
  const run = () => migrate(db, [...MIGRATIONS, { ...later, stopsServers: true }])
  const refused = /^A server of an older version runs on this database/
  await lastSeen(20)
  await expect(run()).rejects.toThrow(refused)
  expect(await db.schema.hasTable('later')).toBe(false)

  await lastSeen(40)
  expect(await run()).toEqual(['999-later'])
})

test('such a migration runs after the last server was stopped', async () => {
  const presence = createServerPresence(db)
  await presence.announce('server', SERVER)
  await presence.withdraw('server')
  expect(await migrate(db, [...MIGRATIONS, { ...later, stopsServers: true }])).toEqual(['999-later'])
})

test('a migration that only adds runs while servers of the version before continue', async () => {
  const presence = createServerPresence(db)
  await presence.announce('older', SERVER)
  expect(await migrate(db, [...MIGRATIONS, later])).toEqual(['999-later'])
  expect(await presence.others('newer')).toEqual([{ id: 'older', ...SERVER }])
})

test('a migration that fails changes nothing, also nothing of those before it', async () => {
  const failing: Migration = { name: '999-zz-failing', up: () => Promise.reject(new Error('No.')) }
  await expect(migrate(db, [...MIGRATIONS, later, failing])).rejects.toThrow('No.')
  expect(await db.schema.hasTable('later')).toBe(false)
  expect(await pendingMigrations(db)).toEqual([])
})

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, pendingMigrations } from '../../src/db/migrate.ts'
import { createServerPresence } from '../../src/db/server-presence.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a database is not migrated while a server of an older version runs on it', async () => {
  const { writer, reader } = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(async () => {
    await Promise.all([writer.destroy(), reader.destroy()])
  })
  await migrate(writer)
  const presence = createServerPresence(writer)
  const server = { machine: null, role: null, settings: null }
  await presence.announce('server', server)
  expect(await migrate(writer)).toEqual([])

  // As if this version had one more migration.
  const lastSeen = (seconds: number) =>
    writer('servers').update({ seen_at: new Date(Date.now() - 1000 * seconds).toISOString() })
  await writer('knex_migrations').where({ name: '026-audit-log' }).delete()
  const refused = /^A server of an older version runs on this database/
  await lastSeen(20)
  await expect(migrate(writer)).rejects.toThrow(refused)

  // The tables exist already, so another error shows that the migration was tried.
  await lastSeen(40)
  await expect(migrate(writer)).rejects.not.toThrow(refused)
  await presence.announce('server', server)
  await expect(migrate(writer)).rejects.toThrow(refused)
  await presence.withdraw('server')
  await expect(migrate(writer)).rejects.not.toThrow(refused)
})

test('a migration that only adds runs while servers of the version before go on', async () => {
  const { writer, reader } = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(async () => {
    await Promise.all([writer.destroy(), reader.destroy()])
  })
  await migrate(writer)
  // As the version before has it.
  await writer.schema.alterTable('servers', (table) => table.dropColumns('machine', 'role', 'settings'))
  await writer('knex_migrations').where({ name: '027-several-machines' }).delete()
  await writer('servers').insert({ id: 'older', seen_at: new Date().toISOString() })
  expect(await pendingMigrations(writer)).toEqual(['027-several-machines'])
  expect(await migrate(writer)).toEqual(['027-several-machines'])
  await writer('servers').where({ id: 'older' }).update({ seen_at: new Date().toISOString() })
  expect(await createServerPresence(writer).others('newer')).toEqual([
    { id: 'older', machine: null, role: null, settings: null },
  ])
})

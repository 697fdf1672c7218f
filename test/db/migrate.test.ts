import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { createServerPresence } from '../../src/db/server-presence.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const START = '2026-01-01T00:00:00.000Z'
const after = (seconds: number) => new Date(Date.parse(START) + 1000 * seconds).toISOString()

test('a database is not migrated while a server of an older version runs on it', async () => {
  const { writer, reader } = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(async () => {
    await Promise.all([writer.destroy(), reader.destroy()])
  })
  await migrate(writer, START)
  const presence = createServerPresence(writer)
  await presence.announce('server', START)
  await migrate(writer, after(1))

  // As if this version had one more migration.
  const [last] = await writer('knex_migrations').orderBy('id', 'desc').limit(1).pluck('name')
  await writer('knex_migrations').where({ name: last }).delete()
  const refused = /^A server of an older version runs on this database/
  await expect(migrate(writer, after(2))).rejects.toThrow(refused)
  await presence.announce('server', after(20))
  await expect(migrate(writer, after(40))).rejects.toThrow(refused)

  // The tables exist already, so another error shows that the migration was tried.
  await expect(migrate(writer, after(60))).rejects.not.toThrow(refused)
  await presence.announce('server', after(60))
  await presence.withdraw('server')
  await expect(migrate(writer, after(61))).rejects.not.toThrow(refused)
})

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { up as foundation } from '../../../src/db/migrations/001-foundation.ts'
import { up as siteData } from '../../../src/db/migrations/011-site-data.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('projects of before have no data, and keep their settings', async () => {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => createDatabase(connections).close())
  const { writer } = connections
  await foundation(writer)
  await writer.raw('PRAGMA foreign_keys = OFF')
  const texts = ['nav_links', 'docs_nav', 'shared_footer', 'branding', 'site_routes']
  const settings = Object.fromEntries(texts.map((name) => [name, '{}']))
  await writer('settings').insert({
    project_id: 'p',
    theme: 'dark',
    ...settings,
    updated_at: '2026-01-01T00:00:00.000Z',
    version: 3,
  })
  await siteData(writer)
  expect(await writer('settings').first()).toMatchObject({ theme: 'dark', version: 3, data: '{}' })
})

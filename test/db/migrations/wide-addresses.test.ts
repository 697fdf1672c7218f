import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { up as foundation } from '../../../src/db/migrations/001-foundation.ts'
import { up as wideAddresses } from '../../../src/db/migrations/010-wide-addresses.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW = '2026-01-01T00:00:00.000Z'

test('projects of before have standard addresses, and keep their hosting', async () => {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => createDatabase(connections).close())
  const { writer } = connections
  await foundation(writer)
  await writer.raw('PRAGMA foreign_keys = OFF')
  const hosting = {
    hosting_mode: 'full_host',
    subdomain: 'acme',
    base_path: '/',
    manifest: 'full',
    version: 3,
  }
  await writer('projects').insert({
    id: 'p',
    user_id: 'u',
    name: 'Site',
    slug: 'site',
    status: 'active',
    context: '',
    legacy_settings: '{}',
    ssl_enabled: false,
    cdn_enabled: true,
    ...hosting,
    created_at: NOW,
    updated_at: NOW,
  })
  await wideAddresses(writer)
  expect(await writer('projects').first()).toMatchObject({ ...hosting, slugs: 'standard' })
})

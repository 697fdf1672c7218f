import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recordReleases } from '../../../src/db/audit.ts'
import { createDatabase } from '../../../src/db/database.ts'
import { up as foundation } from '../../../src/db/migrations/001-foundation.ts'
import { up as auditLog } from '../../../src/db/migrations/026-audit-log.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import type { ReleaseId, UserId } from '../../../src/domain/ids.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW = '2026-01-02T03:04:05.678Z'

test('a release that an earlier version accepted goes live with a row of the service, which did not record who asked', async () => {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  const database = createDatabase(connections)
  onTestFinished(() => database.close())
  const db = connections.writer
  await foundation(db)
  await db.raw('PRAGMA foreign_keys = OFF')
  await db('projects').insert({
    id: 'p',
    user_id: 'u',
    name: '',
    slug: '',
    status: 'active',
    context: '',
    legacy_settings: '{}',
    hosting_mode: 'full_host',
    ssl_enabled: false,
    cdn_enabled: true,
    base_path: '/',
    manifest: 'full',
    created_at: NOW,
    updated_at: NOW,
    version: 1,
  })
  await db('releases').insert({
    id: 'r',
    project_id: 'p',
    page_id: 'page',
    op: 'publish',
    state: 'claimed',
    snapshot: '{}',
    settings_digest: '',
    lenient: false,
    strict: false,
    in_history: true,
    created_at: '',
  })
  await auditLog(db)
  await recordReleases(db, ['r' as ReleaseId], NOW)
  const { items } = await database.read.audit.list(
    { of: { userId: 'u' as UserId }, act: null, createdAfter: null, createdBefore: null },
    { limit: 10, offset: 0 },
  )
  expect(items).toMatchObject([
    {
      act: 'page.publish',
      target: 'page',
      actor: { via: { kind: 'service' } },
      before: null,
      after: { releaseId: 'r' },
    },
  ])
})

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MIGRATIONS, migrate } from '../../../src/db/migrate.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const AT = '2026-01-01T00:00:00.000Z'

test('paths that redirect to live pages become previous addresses of these pages', async () => {
  const { writer: db, close } = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(close)
  await migrate(db, MIGRATIONS.slice(0, 1))
  await db.raw('PRAGMA foreign_keys = OFF')
  const paths = Array.from({ length: 450 }, (_, n) => `/old-${n}`)
  for (const [id, redirects] of [
    ['moved', [...paths, '/old-0']],
    ['other', []],
  ] as const) {
    await db('pages').insert({ ...PAGE, id, slug: id })
    await db('live_pages').insert({ ...LIVE, page_id: id, slug: id, redirects: JSON.stringify(redirects) })
  }

  expect(await migrate(db, MIGRATIONS.slice(0, 2))).toEqual(['002-previous-addresses'])
  const rows = await db('former_addresses').select()
  expect(rows.map(({ path }) => path).sort()).toEqual([...paths].sort())
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(rows[0]).toMatchObject({ project_id: 'p', page_id: 'moved', left_at: AT })
})

const PAGE = {
  project_id: 'p',
  title: 'Title',
  subroute: '',
  type: 'page',
  status: 'published',
  description: '',
  meta: '{}',
  config: '{}',
  markdown: '',
  own_fields: '{}',
  sections_count: 0,
  word_count: 0,
  content_digest: '',
  created_at: AT,
  updated_at: AT,
  version: 1,
}

const LIVE = {
  project_id: 'p',
  release_id: 'r',
  subroute: '',
  path: '/',
  type: 'page',
  facts: '{}',
  card: '{}',
  digests: '{}',
  anchors: '[]',
  index_line: '',
}

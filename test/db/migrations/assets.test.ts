import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { up as foundation } from '../../../src/db/migrations/001-foundation.ts'
import { up as accountUsage } from '../../../src/db/migrations/003-account-usage.ts'
import { up as assets } from '../../../src/db/migrations/012-assets.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW = '2026-01-01T00:00:00.000Z'

test('pages that named assets before there were any are found, and each write of a page and a release is followed', async () => {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => createDatabase(connections).close())
  const db = connections.writer
  await foundation(db)
  await accountUsage(db)
  await db.raw('PRAGMA foreign_keys = OFF')
  await db('pages').insert([
    page('in-markdown', { markdown: '![](/media/a.png)' }),
    page('in-config', { config: '{"sections":[{"props":{"image":"/media/b c.png"}}]}' }),
    page('in-none', { markdown: 'See https://example.com/media/c.png' }),
  ])
  await assets(db)
  expect(await named(db, 'page_media')).toEqual([
    ['a.png', 'in-markdown'],
    ['b c.png', 'in-config'],
  ])

  await db('pages').where({ id: 'in-markdown' }).update({ media: '["d.png","e.png"]' })
  await db('pages').where({ id: 'in-config' }).delete()
  expect(await named(db, 'page_media')).toEqual([
    ['d.png', 'in-markdown'],
    ['e.png', 'in-markdown'],
  ])

  const release = (id: string, media: string) =>
    db('releases').insert({ ...RELEASE, id, page_id: 'in-markdown', media })
  await release('r1', '{"d.png":"1","gone.png":null}')
  await release('r2', '{"e.png":"2"}')
  await db('live_pages').insert({ ...LIVE, page_id: 'in-markdown', release_id: 'r1' })
  expect(await named(db, 'live_media')).toEqual([
    ['d.png', 'in-markdown'],
    ['gone.png', 'in-markdown'],
  ])
  const next = { ...LIVE, page_id: 'in-markdown', release_id: 'r2' }
  await db('live_pages').insert(next).onConflict('page_id').merge()
  expect(await named(db, 'live_media')).toEqual([['e.png', 'in-markdown']])
  await db('live_pages').delete()
  expect(await named(db, 'live_media')).toEqual([])
})

test('the pages that name an asset, and the originals that are due, are found in indexes', async () => {
  const { reader, writer } = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(async () => void (await Promise.all([reader.destroy(), writer.destroy()])))
  await migrate(writer)
  const plans: string[] = []
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))
  const { createAssetRepository } = await import('../../../src/db/assets.ts')
  const { createOriginalRepository } = await import('../../../src/db/originals.ts')
  const repository = createAssetRepository(reader)
  await repository.pagesNaming('p' as never, ['a.png'])
  await repository.usage('p' as never, 'a.png', 10)
  await repository.isShownLive('p' as never, 'a.png')
  await createOriginalRepository(reader).due(NOW, 10)
  for (const { sql, bindings } of [...queries])
    for (const { detail } of await reader.raw(`EXPLAIN QUERY PLAN ${sql}`, [...bindings])) plans.push(detail)
  expect(
    plans.filter((detail) => /^SCAN (?!naming)/.test(detail) && !/SCAN \(|CONSTANT/.test(detail)),
  ).toEqual([])
})

async function named(db: ReturnType<typeof openSqlite>['writer'], table: string) {
  const rows = await db(table).orderBy(['name', 'page_id']).select('name', 'page_id')
  return rows.map(({ name, page_id }) => [name, page_id])
}

function page(id: string, fields: object) {
  return {
    id,
    project_id: 'p',
    title: id,
    slug: id,
    subroute: '',
    type: 'article',
    status: 'draft',
    description: '',
    meta: '{}',
    config: '{}',
    markdown: '',
    own_fields: '{}',
    sections_count: 0,
    word_count: 0,
    content_digest: '',
    created_at: NOW,
    updated_at: NOW,
    version: 1,
    ...fields,
  }
}

const RELEASE = {
  project_id: 'p',
  op: 'publish',
  state: 'live',
  snapshot: '{}',
  settings_digest: 'd',
  lenient: false,
  strict: false,
  in_history: true,
  created_at: NOW,
}

const LIVE = {
  project_id: 'p',
  subroute: '',
  slug: 'a',
  path: '/a',
  type: 'article',
  facts: '{}',
  card: '{}',
  digests: '{}',
  redirects: '[]',
  anchors: '[]',
  index_line: '',
}

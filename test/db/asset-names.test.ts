import type { Knex } from 'knex'
import { expect, onTestFinished, test } from 'vitest'
import { createAssetRepository } from '../../src/db/assets.ts'
import { createOriginalRepository } from '../../src/db/originals.ts'
import { newDatabase } from '../support/new-database.ts'

const NOW = '2026-01-01T00:00:00.000Z'

test('the names of assets in drafts and in live pages follow each write of a page and a release', async () => {
  const { writer: db, close } = await newDatabase()
  onTestFinished(close)
  await db.raw('PRAGMA foreign_keys = OFF')
  await db('pages').insert([
    page('first', { media: '["a.png"]' }),
    page('second', { media: '["b c.png"]' }),
    page('third', { media: '[]' }),
  ])
  expect(await named(db, 'page_media')).toEqual([
    ['a.png', 'first'],
    ['b c.png', 'second'],
  ])

  await db('pages').where({ id: 'first' }).update({ media: '["d.png","e.png"]' })
  await db('pages').where({ id: 'second' }).delete()
  expect(await named(db, 'page_media')).toEqual([
    ['d.png', 'first'],
    ['e.png', 'first'],
  ])

  const release = (id: string, media: string) =>
    db('releases').insert({ ...RELEASE, id, page_id: 'first', media })
  await release('r1', '{"d.png":"1","gone.png":null}')
  await release('r2', '{"e.png":"2"}')
  await db('live_pages').insert({ ...LIVE, page_id: 'first', release_id: 'r1' })
  expect(await named(db, 'live_media')).toEqual([
    ['d.png', 'first'],
    ['gone.png', 'first'],
  ])
  const next = { ...LIVE, page_id: 'first', release_id: 'r2' }
  await db('live_pages').insert(next).onConflict('page_id').merge()
  expect(await named(db, 'live_media')).toEqual([['e.png', 'first']])
  await db('live_pages').delete()
  expect(await named(db, 'live_media')).toEqual([])
})

test('the pages that name an asset, and the originals that are due, are found in indexes', async () => {
  const { reader, close } = await newDatabase()
  onTestFinished(close)
  const plans: string[] = []
  const queries: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  reader.on('query', (query) => queries.push(query))
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

async function named(db: Knex, table: string) {
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

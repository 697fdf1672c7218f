import { expect, onTestFinished, test } from 'vitest'
import { newDatabase } from '../support/new-database.ts'

const NOW = '2026-01-01T00:00:00.000Z'

test('the index of tags follows every write of a page', async () => {
  const { writer: db, close } = await newDatabase()
  onTestFinished(close)
  await db.raw('PRAGMA foreign_keys = OFF')
  const indexed = async () => (await db('page_tags').pluck('address')).sort()
  await db('pages').insert(PAGE)
  expect(await indexed()).toEqual([])
  await db('pages').update({ tags: '[["x","X"],["y","Y"]]' })
  expect(await indexed()).toEqual(['x', 'y'])
  await db('pages').update({ tags: '[["y","Y"],["z","Z"]]' })
  expect(await indexed()).toEqual(['y', 'z'])
  await db('pages').delete()
  expect(await indexed()).toEqual([])
  await db('pages').insert({ ...PAGE, tags: '[["x","X"]]' })
  expect(await indexed()).toEqual(['x'])
})

const PAGE = {
  id: 'a',
  project_id: 'p',
  title: 'A',
  slug: 'a',
  subroute: 'blog',
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
}

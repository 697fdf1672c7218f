import { join } from 'node:path'
import type { Knex } from 'knex'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { up as foundation } from '../../../src/db/migrations/001-foundation.ts'
import { up as tags } from '../../../src/db/migrations/009-tags.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW = '2026-01-01T00:00:00.000Z'

let db: Knex

beforeEach(async () => {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  onTestFinished(() => createDatabase(connections).close())
  db = connections.writer
  await foundation(db)
  await db.raw('PRAGMA foreign_keys = OFF')
})

interface Written {
  readonly type?: string
  readonly config?: object
  readonly markdown?: string
}

async function insertPage(id: string, { type = 'article', config = {}, markdown = '' }: Written) {
  await db('pages').insert({
    id,
    project_id: 'p',
    title: id,
    slug: id,
    subroute: 'blog',
    type,
    status: 'draft',
    description: '',
    meta: '{}',
    config: JSON.stringify(config),
    markdown,
    own_fields: '{}',
    sections_count: 0,
    word_count: 0,
    content_digest: '',
    created_at: NOW,
    updated_at: NOW,
    version: 1,
  })
}

const FRONT_MATTER = '---\ntags: [Trains, Node JS]\n---\nText.\n'
const STATED = [
  ['trains', 'Trains'],
  ['node-js', 'Node JS'],
]

test.each<[string, Written, unknown]>([
  ['in their config', { config: { tags: ['Trains', 'Node JS'] } }, STATED],
  ['in front matter', { markdown: FRONT_MATTER }, STATED],
  ['in front matter of a docs page', { type: 'docs', markdown: FRONT_MATTER }, STATED],
  ['in front matter after a byte order mark', { markdown: `\uFEFF${FRONT_MATTER}` }, STATED],
  [
    'in long front matter',
    { markdown: FRONT_MATTER.replace('tags', `note: ${'x'.repeat(60_000)}\ntags`) },
    STATED,
  ],
  ['in both', { config: { tags: 'Ships' }, markdown: FRONT_MATTER }, [['ships', 'Ships']]],
  ['in front matter of a page that has none', { type: 'page', markdown: FRONT_MATTER }, []],
  ['in text', { markdown: '---\ntitle: A\n---\ntags: [Trains]\n' }, []],
  ['nowhere', { config: { author: 'Ada' } }, []],
])('stored pages keep tags that they state %s', async (_, written, expected) => {
  await insertPage('a', written)
  await tags(db)
  const page = await db('pages').first()
  expect(JSON.parse(page.tags)).toEqual(expected)
  const addresses = await db('page_tags').where({ project_id: 'p', page_id: 'a' }).pluck('address')
  expect(addresses.sort()).toEqual((expected as string[][]).map(([address]) => address).sort())
})

test('live pages have no tags until they are published again', async () => {
  const texts = ['facts', 'digests', 'redirects', 'anchors', 'index_line']
  await db('live_pages').insert({
    page_id: 'a',
    project_id: 'p',
    release_id: 'r',
    subroute: 'blog',
    slug: 'a',
    path: '/blog/a',
    type: 'article',
    card: JSON.stringify({ id: 'a', title: 'A' }),
    ...Object.fromEntries(texts.map((name) => [name, '{}'])),
  })
  await tags(db)
  expect(JSON.parse((await db('live_pages').first()).card)).toEqual({ id: 'a', title: 'A', tags: [] })
})

test('the index of tags follows every write of a page', async () => {
  await tags(db)
  const indexed = async () => (await db('page_tags').pluck('address')).sort()
  await insertPage('a', {})
  expect(await indexed()).toEqual([])
  await db('pages').where({ id: 'a' }).update({ tags: '[["x","X"],["y","Y"]]' })
  expect(await indexed()).toEqual(['x', 'y'])
  await db('pages').where({ id: 'a' }).update({ tags: '[["y","Y"],["z","Z"]]' })
  expect(await indexed()).toEqual(['y', 'z'])
  await db('pages').where({ id: 'a' }).delete()
  expect(await indexed()).toEqual([])
})

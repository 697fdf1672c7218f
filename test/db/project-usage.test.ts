import { expect, onTestFinished, test } from 'vitest'
import { newDatabase } from '../support/new-database.ts'
import { usageAndSums } from '../support/usage-sums.ts'

test('what a project stores is counted with each write', async () => {
  const { writer: db, close } = await newDatabase()
  onTestFinished(close)
  await db('users').insert({ id: 'u', email: 'a@b.c', can_create_projects: true, created_at: '' })
  for (const id of ['first', 'second']) await db('projects').insert({ ...PROJECT, id, slug: id })
  await db('pages').insert({ ...PAGE, id: 'p1', slug: 'a', markdown: 'é'.repeat(1_000) })
  await db('pages').insert({ ...PAGE, id: 'p2', slug: 'b', markdown: '' })
  await db('settings_snapshots').insert({ project_id: 'first', digest: 'd', settings: '{}' })
  await db('releases').insert({ ...RELEASE, id: 'r1' })
  await db('artifacts').insert({ project_id: 'first', digest: 'd', bytes: Buffer.alloc(77), sealed: false })
  await db('jobs').insert([
    { ...JOB, id: 'j1', kind: 'publish-pages', state: 'queued' },
    { ...JOB, id: 'j2', kind: 'publish-pages', state: 'failed' },
    { ...JOB, id: 'j3', kind: 'delivery', state: 'queued' },
  ])
  const { counted, summed } = await usageAndSums(db)
  expect(counted).toEqual(summed)
  expect(counted).toMatchObject([
    { project_id: 'first', pages: 2, release_bytes: 2 + 77 + 8, webhooks: 0, unfinished_jobs: 1 },
    { project_id: 'second', pages: 0 },
  ])

  await db('pages').where({ id: 'p1' }).update({ markdown: 'short', version: 2 })
  await db('pages').where({ id: 'p2' }).delete()
  await db('jobs').where({ id: 'j2' }).update({ state: 'queued' })
  await db('jobs').where({ id: 'j1' }).update({ state: 'running' })
  await db('artifacts').update({ bytes: Buffer.alloc(5), sealed: true })
  await db('releases').delete()
  const later = await usageAndSums(db)
  expect(later.counted).toEqual(later.summed)
  expect(later.counted).toMatchObject([{ pages: 1, release_bytes: 2 + 5, unfinished_jobs: 2 }, {}])
})

const PROJECT = {
  user_id: 'u',
  name: 'Site',
  status: 'active',
  context: '',
  legacy_settings: '{}',
  hosting_mode: 'full_host',
  ssl_enabled: false,
  cdn_enabled: true,
  base_path: '/',
  manifest: 'full',
  created_at: '',
  updated_at: '',
  version: 1,
}

const PAGE = {
  project_id: 'first',
  title: 'Title',
  subroute: '',
  type: 'page',
  status: 'draft',
  description: 'Ü',
  og_image_url: null,
  meta: '{}',
  config: '{}',
  own_fields: '{}',
  sections_count: 0,
  word_count: 0,
  content_digest: '',
  created_at: '',
  updated_at: '',
  version: 1,
}

const RELEASE = {
  project_id: 'first',
  page_id: 'p1',
  op: 'publish',
  state: 'live',
  snapshot: '{"a":"ü"}'.slice(0, 7),
  settings_digest: 'd',
  lenient: false,
  strict: false,
  in_history: true,
  created_at: '',
}

const JOB = {
  project_id: 'first',
  payload: '{}',
  total: 1,
  failed: '[]',
  due_at: '',
  created_at: '',
}

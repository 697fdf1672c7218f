import type { Knex } from 'knex'
import { expect, onTestFinished, test } from 'vitest'
import { newDatabase } from '../support/new-database.ts'

test('an original stays while an asset, a release or the live site needs it, and goes with the last one', async () => {
  const db = await migrated()
  await db('originals').insert([original('o1', 'd1'), original('o2', 'd2')])
  await db('live_sites').insert({ ...SITE, media: media('d1') })
  await db('live_sites').update({ media: media('d1', 'd2') })
  expect(await db('media_pins').orderBy('original_id').pluck('original_id')).toEqual(['o1', 'o2'])
  await db('media_pins').insert({ project_id: 'p', holder: 'r1', original_id: 'o1' })
  await db('releases').insert({ ...RELEASE, id: 'r1', state: 'claimed' })

  await db('live_sites').update({ media: '{}' })
  expect(await states(db)).toEqual(['o1 stored', 'o2 removing'])
  await db('releases').update({ state: 'live' })
  expect(await states(db)).toEqual(['o1 stored', 'o2 removing'])
  await db('releases').update({ state: 'reverted' })
  expect(await states(db)).toEqual(['o1 removing', 'o2 removing'])
})

test('an original that an asset has stays when its last release is pruned', async () => {
  const db = await migrated()
  await db('originals').insert([original('o1', 'd1')])
  await db('assets').insert({ ...ASSET, id: 'a1', original_id: 'o1' })
  await db('releases').insert({ ...RELEASE, id: 'r1', state: 'live' })
  await db('media_pins').insert({ project_id: 'p', holder: 'r1', original_id: 'o1' })
  await db('releases').delete()
  expect([await states(db), await db('media_pins')]).toEqual([['o1 stored'], []])
})

async function migrated(): Promise<Knex> {
  const { writer, close } = await newDatabase()
  onTestFinished(close)
  await writer.raw('PRAGMA foreign_keys = OFF')
  return writer
}

const media = (...digests: readonly string[]) =>
  JSON.stringify(Object.fromEntries(digests.map((digest) => [digest, { digest }])))

const original = (id: string, digest: string) => {
  return { id, project_id: 'p', digest: `of ${digest}`, stored_digest: digest, bytes: 1, state: 'stored' }
}

async function states(db: Knex): Promise<readonly string[]> {
  const rows = await db('originals').orderBy('id').select('id', 'state')
  return rows.map(({ id, state }) => `${id} ${state}`)
}

const SITE = { project_id: 'p', revision: 1, site: '{}', settings_digest: 's' }
const RELEASE = {
  project_id: 'p',
  op: 'publish',
  snapshot: '{}',
  settings_digest: 's',
  lenient: false,
  strict: false,
  in_history: true,
  created_at: '2026-01-01T00:00:00.000Z',
}
const ASSET = {
  project_id: 'p',
  name: 'a',
  digest: 'd',
  bytes: 1,
  kind: 'other',
  content_type: 'x',
  alt: '',
  title: '',
  status: 'ready',
  created_at: '',
  updated_at: '',
  version: 1,
}

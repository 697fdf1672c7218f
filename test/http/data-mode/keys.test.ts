import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LONG_FORM } from '../../support/long-form.ts'
import { startService, type TestService } from '../../support/service.ts'
import { openServiceDatabase } from '../../support/test-database.ts'
import { siteOf } from './sealed-site.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The stored answers to requests with an Idempotency-Key, as one text. */
async function storedAnswers(): Promise<string> {
  const { writer, reader } = await openServiceDatabase(service.data)
  const rows = await reader('idempotency').select('answer')
  await Promise.all([writer.destroy(), reader.destroy()])
  return JSON.stringify(rows)
}

const newSite = async () => siteOf(service, await service.newProject('Vault'))

describe('at once', () => {
  test.runIf(LONG_FORM)('a hundred enables, on both surfaces, make one key', async () => {
    const site = await newSite()
    const enable = (surface: number) =>
      surface === 0
        ? site.act('enable')
        : service.call('POST', `/v1/projects/${site.project}/data-mode`, { action: 'enable' })
    // What waited too long on a busy machine is asked again, as its answer says.
    const insist = async (surface: number) => {
      for (;;) {
        const answer = await enable(surface)
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => insist(i % 2)))
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(1)
    const others = answers.filter(({ status, body }) => status === 409 && body.name === 'already_enabled')
    expect(others).toHaveLength(99)
    const { data } = made[0]?.body ?? expect.unreachable()
    await site.publish(await site.create({ slug: 'one' }))
    expect(await site.open(data.encryption_key ?? data.contentKey, 'one.json')).toMatchObject({ slug: 'one' })
  })

  test.runIf(LONG_FORM)(
    'publishes around an enable are plain before it and sealed after it, and none is torn',
    async () => {
      const site = await newSite()
      const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => site.create({ slug: `p-${i}` })))
      const publishing = ids.slice(0, 6).map((id) => site.publish(id))
      const enabling = site.keyOf('enable')
      publishing.push(...ids.slice(6).map((id) => site.publish(id)))
      const [key, answers] = [await enabling, await Promise.all(publishing)]
      expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
      const { pages } = await site.index()
      expect(pages).toHaveLength(12)
      for (const { file, key_id: keyId, id } of pages) {
        if (keyId === null) expect(await site.read(file)).toContain('</html>')
        else expect(await site.open(key, file)).toMatchObject({ id })
      }
    },
  )

  test('new keys one upon the other leave everything under the last one', async () => {
    const site = await newSite()
    await site.keyOf('enable')
    for (const slug of ['a', 'b']) await site.publish(await site.create({ slug }))
    const answers = await Promise.all([1, 2, 3, 4].map(() => site.act('regenerate-key')))
    const keys = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.encryption_key)
    const opens = await Promise.all(
      keys.map(async (key) => {
        const tried = await Promise.all(
          ['a.json', 'b.json'].map((file) => site.open(key, file).catch(() => null)),
        )
        return tried.every((page) => page !== null)
      }),
    )
    expect(opens.filter(Boolean)).toHaveLength(1)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

test.each([
  ['/projects/:id/data-mode/enable', undefined],
  ['/projects/:id/data-mode', { action: 'enable' }],
  ['/v1/projects/:id/data-mode', { action: 'enable' }],
])(
  'an answer with a key is not stored for a second request with its Idempotency-Key: POST %s',
  async (path, body) => {
    const site = await newSite()
    const ask = () =>
      service.call('POST', path.replace(':id', site.project), body, {
        headers: { 'Idempotency-Key': 'once' },
      })
    const first = await ask()
    const again = await ask()
    expect([first.status, again.status, again.body.name]).toEqual([200, 409, 'already_enabled'])
    const { data } = first.body
    expect(await storedAnswers()).not.toContain(data.encryption_key ?? data.contentKey)
  },
)

test('a deleted project has no key any more', async () => {
  const site = await newSite()
  await site.keyOf('enable')
  await site.publish(await site.create({ slug: 'one' }))
  await service.call('PUT', `/projects/${site.project}`, { status: 'archived' })
  expect((await service.call('DELETE', `/projects/${site.project}`)).status).toBe(200)
  expect(await site.index()).toBe(null)
})

describe('a rollback', () => {
  test('brings an earlier release back as it was, sealed with the key of today', async () => {
    const site = await newSite()
    await site.keyOf('enable')
    const id = await site.create({ slug: 'one', markdown_content: 'First.' })
    const first = (await site.publish(id)).body.data
    await site.edit(id, { markdown_content: 'Second.' })
    await site.publish(id)
    const key = await site.keyOf('regenerate-key')
    const back = await service.call('POST', `/pages/${id}/rollback`, { release_id: first.release_id })
    expect(back.status).toBe(200)
    expect(await site.open(key, 'one.json')).toMatchObject({
      html: expect.stringContaining('First.'),
      release_id: back.body.data.release_id,
    })
  })

  test('is sealed when its page is from before Data Mode was on', async () => {
    const site = await newSite()
    const id = await site.create({ slug: 'one', markdown_content: 'First.' })
    const first = (await site.publish(id)).body.data
    const key = await site.keyOf('enable')
    await site.edit(id, { markdown_content: 'Second.' })
    await site.publish(id)
    expect(
      (await service.call('POST', `/pages/${id}/rollback`, { release_id: first.release_id })).status,
    ).toBe(200)
    expect(await site.files()).toEqual(['_index.json', 'one.json'])
    expect((await site.open(key, 'one.json')).html).toContain('First.')
  })
})

test('a dry run tells the sealed file, and what goes', async () => {
  const site = await newSite()
  const id = await site.create({ slug: 'one' })
  await site.publish(id)
  await site.keyOf('enable')
  const { objects } = (await service.call('POST', `/pages/${id}/publish?dry_run=true`)).body.data
  expect(objects).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ key: 'one.json', action: 'put', reason: 'new' }),
      expect.objectContaining({ key: 'one/index.html', action: 'delete' }),
      expect.objectContaining({ key: '404.html', action: 'delete' }),
    ]),
  )
})

test('publishing all that is live converts it', async () => {
  const site = await newSite()
  for (const slug of ['a', 'b', 'c']) await site.publish(await site.create({ slug }))
  await site.keyOf('enable')
  expect((await service.call('POST', `/projects/${site.project}/publish`, { pages: 'all' })).status).toBe(202)
  await expect.poll(async () => (await site.settings()).data_mode.plaintext_pages).toBe(0)
  await expect.poll(site.files).toEqual(['_index.json', 'a.json', 'b.json', 'c.json'])
})

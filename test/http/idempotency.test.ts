import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
const fault: { on: boolean } = { on: false }

beforeAll(async () => {
  const storage = createMemoryStorage({
    failOn: (operation) => (fault.on && operation === 'put' ? new Error('The store is out of order.') : null),
  })
  service = await startService({ storage })
  project = await service.newProject()
})
afterAll(() => service.close())

const post = (path: string, body: unknown, key: string, options: object = {}) =>
  service.call('POST', path, body, { headers: { 'Idempotency-Key': key }, ...options })
const total = async () => (await service.call('GET', `/pages?project_id=${project}`)).body.meta.total

describe('a POST with an Idempotency-Key', () => {
  test('has its effect once and the first answer twice when it is sent again', async () => {
    const before = await total()
    const first = await post('/pages', pageBody(project, { slug: 'once' }), 'k1')
    const again = await post('/pages', pageBody(project, { slug: 'once' }), 'k1')
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await total()).toBe(before + 1)
  })

  test('repeats a refusal as well', async () => {
    const first = await post('/pages', pageBody(project, { slug: '' }), 'k2')
    const again = await post('/pages', pageBody(project, { slug: '' }), 'k2')
    expect(first.status).toBe(422)
    expect(again.body).toEqual(first.body)
  })

  test('is refused with another body', async () => {
    await post('/pages', pageBody(project, { slug: 'body-one' }), 'k3')
    const other = await post('/pages', pageBody(project, { slug: 'body-two' }), 'k3')
    expect(other).toMatchObject({ status: 422, body: { name: 'invalid_request' } })
  })

  test('is another request on another path and with another key', async () => {
    const one = (await post('/pages', pageBody(project, { slug: 'path-one' }), 'k4')).body.data
    expect((await post(`/pages/${one.id}/publish`, undefined, 'k4')).status).toBe(200)
    const key = await service.newKey()
    expect((await post('/pages', pageBody(project, { slug: 'path-two' }), 'k4', { key })).status).toBe(201)
  })

  test('has its effect once when 20 are sent at once, and all get its answer', async () => {
    const before = await total()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('/pages', pageBody(project, { slug: 'at-once' }), 'k5')),
    )
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await total()).toBe(before + 1)
  })

  test('publishes once and unpublishes once', async () => {
    const { id } = (await service.call('POST', '/pages', pageBody(project, { slug: 'live' }))).body.data
    const published = [
      await post(`/pages/${id}/publish`, {}, 'k6'),
      await post(`/pages/${id}/publish`, {}, 'k6'),
    ]
    expect(published[1]?.body).toEqual(published[0]?.body)
    const unpublished = [
      await post(`/pages/${id}/unpublish`, {}, 'k6'),
      await post(`/pages/${id}/unpublish`, {}, 'k6'),
    ]
    expect(unpublished.map(({ status }) => status)).toEqual([200, 200])
  })

  test('may be tried again when it failed on our side', async () => {
    const { id } = (await service.call('POST', '/pages', pageBody(project, { slug: 'broken' }))).body.data
    fault.on = true
    expect((await post(`/pages/${id}/publish`, {}, 'k7')).status).toBe(500)
    fault.on = false
    await expect.poll(async () => (await post(`/pages/${id}/publish`, {}, 'k7')).status).toBe(200)
  })

  test.each(['a b', '\u00e9', 'x'.repeat(256)])(
    'must be 1 to 255 visible ASCII characters, not %j',
    async (key) => {
      const answer = await post('/pages', pageBody(project, { slug: 'form' }), key)
      expect(answer).toMatchObject({ status: 422, body: { name: 'invalid_request' } })
    },
  )
})

test('one of two services that get one key with different bodies at once has the effect and the other refuses', async () => {
  const other = await startService({ data: service.data, storage: createMemoryStorage() })
  try {
    const wrong: unknown[] = []
    for (let round = 0; round < 10; round++) {
      const slugs = [`left-${round}`, `right-${round}`]
      const headers = { 'Idempotency-Key': `race-${round}` }
      const send = (of: TestService, slug?: string) =>
        of.call('POST', '/pages', pageBody(project, { slug }), { headers, key: service.key })
      const answers = await Promise.all([send(service, slugs[0]), send(other, slugs[1])])
      const isRight = answers.map(({ status, body }, side) =>
        status === 201 ? body.data.slug === slugs[side] : body.name === 'invalid_request',
      )
      const winner = answers.findIndex(({ status }) => status === 201)
      const replayed = await send(service, slugs[winner])
      if (isRight.includes(false) || replayed.status !== 201 || replayed.body.data.slug !== slugs[winner])
        wrong.push({ answers: answers.map(({ status, body }) => [status, body]), replayed: replayed.body })
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    }
    expect(wrong).toEqual([])
  } finally {
    await other.close()
  }
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../../support/refusal.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

/* Clients that only drop the prefix; their Data Mode paths are in data-mode.test.ts. */

let service: TestService
let page: string

beforeAll(async () => {
  service = await startService()
  page = (await service.call('POST', '/pages', pageBody(await service.newProject()))).body.data.id
})
afterAll(() => service.close())

const post = (path: string, body?: unknown) => service.call('POST', path, body)

test.each(['pageId', 'page_id'])(
  'publish and unpublish take %s, with the current envelope',
  async (field) => {
    for (const ref of [page, page.replace('page_', '')]) {
      const published = await post('/pages/publish', { [field]: ref })
      expect({ status: published.status, body: published.body }).toEqual({
        status: 200,
        body: {
          data: { page_id: page, status: 'published', published_at: published.body.data.published_at },
        },
      })
      expect((await service.call('GET', `/pages/${page}`)).body.data).toMatchObject({
        status: 'published',
        published_at: published.body.data.published_at,
      })
      const unpublished = await post('/pages/unpublish', { [field]: ref })
      expect({ status: unpublished.status, body: unpublished.body }).toEqual({
        status: 200,
        body: { data: { page_id: page, status: 'unpublished' } },
      })
      expectRefusal(await post('/pages/unpublish', { [field]: ref }), 'not_published')
    }
  },
)

describe.each(['/pages/publish', '/pages/unpublish'])('POST %s', (path) => {
  test('needs a body that names a page', async () => {
    expectRefusal(await post(path), 'invalid_request')
    expectRefusal(await post(path, {}), 'missing_required_field', 'pageId: ')
    expectRefusal(await post(path, { pageId: 5 }), 'validation_error', 'pageId: ')
    expectRefusal(await post(path, { pageId: 'publish' }), 'not_found')
  })

  test('is no page called after it', async () => {
    for (const method of ['GET', 'DELETE']) expectRefusal(await service.call(method, path), 'not_found')
    expectRefusal(await service.call('PUT', path, { title: 'x' }), 'not_found')
    expectRefusal(await post(`${path}/publish`), 'not_found')
  })

  test('needs the publish permission', async () => {
    const key = await service.newKey({ permissions: ['read', 'write'] })
    for (const body of [{ pageId: page }, {}])
      expectRefusal(await service.call('POST', path, body, { key }), 'forbidden', 'publish')
  })
})

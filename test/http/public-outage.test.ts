import { afterEach, expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { sendRaw } from '../support/raw-request.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
afterEach(() => service.close())

test('while the store does not answer a visitor is asked to come again, on every host', async () => {
  let isAway = false
  const storage = createMemoryStorage({
    failOn: (operation) => (isAway && operation === 'open' ? new Error('The store is out of order.') : null),
  })
  service = await startService({ storage })
  const project = await service.newProject()
  await service.call('PUT', `/projects/${project}`, { hosting: { subdomain: 'blog' } })
  const id = (await service.call('POST', '/pages', pageBody(project))).body.data.id
  await service.call('POST', `/pages/${id}/publish`)

  isAway = true
  for (const path of ['a-page/', 'a-page', 'nothing/', '_index.json']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await service.call(method, `/public/${project}/${path}`, undefined, { key: null })
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      if (method === 'GET') expect(answer.body).toContain('Not available right now')
    }
  }
  const onItsHost = await sendRaw(service.url, '/a-page/', { headers: { Host: 'blog.sites.quoin.test' } })
  expect(onItsHost).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  isAway = false
  expect((await service.call('GET', `/public/${project}/a-page/`, undefined, { key: null })).status).toBe(200)
})

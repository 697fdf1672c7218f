import { expect, onTestFinished, test } from 'vitest'
import { storageKey } from '../../src/domain/storage-key.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { startService } from '../support/service.ts'

/** A service on a store that takes no files at keys with `refused` while `isBroken`. */
async function serviceOnBrokenStore() {
  const memory = createMemoryStorage()
  const store = { isBroken: false }
  const service = await startService({
    storage: {
      ...memory,
      async put(object, options) {
        if (store.isBroken && object.key.includes('refused')) throw new Error('The store is full.')
        await memory.put(object, options)
      },
    },
  })
  onTestFinished(() => service.close())
  const project = await service.newProject()
  const page = { project_id: project, title: 'Home', type: 'docs', subroute: '', slug: 'home' }
  const { id } = (await service.call('POST', '/pages', page)).body.data
  await service.call('POST', `/pages/${id}/publish`)
  const redirects = `/projects/${project}/redirects`
  const stored = async (key: string) => {
    const body = await memory.get(storageKey(project.replace('proj_', '') as never, key))
    return body === null ? null : Buffer.from(body).toString()
  }
  return { ...service, store, redirects, stored, page: id }
}

test('a redirect that the store does not take is answered with an error and never goes live', async () => {
  const { call, store, redirects, stored, page } = await serviceOnBrokenStore()
  await call('POST', redirects, { from: '/before', to: '/home' })
  store.isBroken = true
  const items = [
    { from: '/one', to: '/home' },
    { from: '/refused', to: '/home' },
    { from: '/before', to: 'https://example.org/' },
  ]
  const answer = await call('POST', `${redirects}/bulk`, { items })
  expect([answer.status, answer.body.name]).toEqual([500, 'internal_error'])
  store.isBroken = false
  // Waits until the failed release is reverted.
  await call('POST', `/pages/${page}/publish`)
  const list = (await call('GET', redirects)).body.data
  expect(list).toMatchObject([{ from: '/before', to: '/home', live: true }])
  expect(await stored('one/index.html')).toBeNull()
  expect(await stored('before/index.html')).toContain('url=../home/')
  expect((await call('POST', `${redirects}/bulk`, { items })).body.data).toMatchObject({
    created: 2,
    updated: 1,
  })
  expect(await stored('refused/index.html')).toContain('url=../home/')
})

test('a page that takes the path of a redirect and fails leaves the redirect there', async () => {
  const { call, store, redirects, stored, page } = await serviceOnBrokenStore()
  await call('POST', redirects, { from: '/refused', to: '/home' })
  const before = await stored('refused/index.html')
  store.isBroken = true
  await call('PUT', `/pages/${page}`, { slug: 'refused' })
  expect((await call('POST', `/pages/${page}/publish`)).status).toBe(500)
  store.isBroken = false
  await call('PUT', `/pages/${page}`, { slug: 'home' })
  await call('POST', `/pages/${page}/publish`)
  expect(await stored('refused/index.html')).toBe(before)
  expect((await call('GET', redirects)).body.data).toMatchObject([{ from: '/refused', live: true }])
})

import { afterEach, describe, expect, test } from 'vitest'
import { ServiceError } from '../../../src/domain/errors.ts'
import { LeaseLost } from '../../../src/publish/ledger/leases.ts'
import { createInProcessRenderer } from '../../../src/renderer/in-process.ts'
import { some } from '../../support/long-form.ts'
import { createMemoryStorage, type MemoryStorage } from '../../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
afterEach(() => service.close())

/** A service over a store that fails where the test says so. */
async function startFaulty() {
  const fault: { on: (operation: string, key: string) => boolean } = { on: () => false }
  const storage = createMemoryStorage({
    failOn: (operation, key) => (fault.on(operation, key) ? new Error('The store is out of order.') : null),
  })
  service = await startService({ storage })
  const project = await service.newProject()
  return { storage, fault, project }
}

const create = async (project: string, fields: object) =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)

/** Every object of a project, by its key within the project. */
async function objects(storage: MemoryStorage, project: string): Promise<Record<string, string>> {
  const entries = await Promise.all(
    (await storage.list(`${project}/`)).map(async (key): Promise<[string, string]> => {
      const body = await storage.get(key)
      return [key.slice(project.length + 1), Buffer.from(body ?? []).toString()]
    }),
  )
  return Object.fromEntries(entries)
}

/**
 * Without the revision, without the time of the feed, which never goes back, and without the search index, which a job
 * writes after the answer.
 */
const withoutRevision = (site: Record<string, string>) => ({
  ...Object.fromEntries(Object.entries(site).filter(([key]) => !/^(_search|llms-full)/.test(key))),
  '_index.json': site['_index.json']?.replace(/"revision":\d+/, ''),
  'feed.xml': site['feed.xml']?.replace(/<updated>.*<\/updated>/, ''),
})

describe('a store that fails part-way through a publish', () => {
  test.each(['/index.html', '_index.json', '404.html', '_assets/'])(
    'at %s leaves the live site unchanged',
    async (where) => {
      const { storage, fault, project } = await startFaulty()
      const id = await create(project, { slug: 'kept', markdown_content: 'Before.' })
      await publish(id)
      const before = await objects(storage, project)
      await service.call('PUT', `/pages/${id}`, { markdown_content: 'After.', title: 'After' })
      await service.call('PUT', `/projects/${project}/settings`, { theme: 'dark' })

      let failures = 0
      fault.on = (operation, key) => operation === 'put' && key.includes(where) && failures++ === 0
      const failed = await publish(id)
      fault.on = () => false

      expect(failed).toMatchObject({ status: 500, body: { name: 'internal_error' } })
      const again = await service.call('POST', `/pages/${id}/unpublish`)
      expect(again.status).toBe(200)
      expect((await service.call('GET', `/pages/${id}`)).body.data.page_name).toBe('After')
      await publish(await create(project, { slug: 'other' }))
      expect(Object.keys(before)).toContain('kept/index.html')
      expect(Object.keys(await objects(storage, project))).not.toContain('kept/index.html')
    },
  )

  test.each(some(['_index.json', 'tags/ships/index.html', 'tags/trains/feed.xml', 'blog/tags/index.html']))(
    'at %s restores exactly the bytes that were live, lists of tags among them',
    async (where) => {
      const { storage, fault, project } = await startFaulty()
      const fields = { subroute: 'blog', tags: ['Trains', 'Maps'], markdown_content: 'Before.' }
      await publish(await create(project, { slug: 'other', subroute: 'blog', tags: ['Trains'] }))
      const id = await create(project, { slug: 'kept', ...fields })
      await publish(id)
      const before = await objects(storage, project)
      expect(Object.keys(before)).toContain('blog/tags/maps/feed.xml')
      await service.call('PUT', `/pages/${id}`, { markdown_content: 'After.', tags: ['Ships'] })

      let failures = 0
      fault.on = (operation, key) => operation === 'put' && key.endsWith(where) && failures++ === 0
      expect((await publish(id)).status).toBe(500)
      expect(failures).toBeGreaterThan(0)
      // The next release waits until what failed has been put back.
      const nothing = await service.call(
        'POST',
        `/pages/${await create(project, { slug: 'draft' })}/unpublish`,
      )
      expect(nothing.status).toBe(409)
      await expect
        .poll(async () => withoutRevision(await objects(storage, project)))
        .toEqual(withoutRevision(before))
      expect((await service.call('GET', `/pages/${id}`)).body.data.status).toBe('published')
    },
  )

  test.each([
    { subroute: 'docs', type: 'docs' },
    { subroute: 'blog', tags: ['Trains'] },
  ])('a first publish that fails leaves no objects on the store: %j', async (fields) => {
    const { storage, fault, project } = await startFaulty()
    const id = await create(project, { slug: 'one', ...fields })
    let failures = 0
    fault.on = (operation, key) => operation === 'put' && key.endsWith('_index.json') && failures++ === 0
    expect((await publish(id)).status).toBe(500)
    await expect.poll(async () => Object.keys(await objects(storage, project))).toEqual([])
    expect((await service.call('GET', `/pages/${id}`)).body.data.status).toBe('draft')
    expect((await publish(id)).status).toBe(200)
  })

  test('while the store keeps failing other publishes are refused, and they succeed afterwards', async () => {
    const { fault, project } = await startFaulty()
    const [one, two] = [await create(project, { slug: 'one' }), await create(project, { slug: 'two' })]
    await publish(one)
    await service.call('PUT', `/pages/${one}`, { markdown_content: 'Edited.' })
    fault.on = (operation) => operation === 'put'
    expect((await publish(one)).status).toBe(500)
    expect((await publish(two)).status).toBe(500)
    fault.on = () => false
    await expect.poll(async () => (await publish(two)).status).toBe(200)
    expect((await service.call('GET', `/public/${project}/one/`, undefined, { key: null })).status).toBe(200)
  })
})

test('a page that is refused in the second attempt leaves nothing of the first attempt', async () => {
  const storage = createMemoryStorage()
  let commits = 0
  let renders = 0
  service = await startService({
    storage,
    // The first leader gets as far as the commit, and is then taken over.
    ledger: (ledger) => ({
      ...ledger,
      releaseQueue: {
        ...ledger.releaseQueue,
        commit: async (...args) => {
          if (commits++ === 1) throw new LeaseLost()
          return ledger.releaseQueue.commit(...args)
        },
      },
    }),
    renderer: (themes) => {
      const renderer = createInProcessRenderer(themes)
      return {
        ...renderer,
        renderPage: async (live) => {
          if (renders++ === 2) throw new ServiceError('validation_error', 'Too complex to render.')
          return renderer.renderPage(live)
        },
      }
    },
  })
  const project = await service.newProject()
  await publish(await create(project, { slug: 'kept' }))
  const before = await objects(storage, project)
  const id = await create(project, { slug: 'refused', subroute: 'docs', type: 'docs' })
  const answer = await service.call('PUT', `/pages/${id}`, { title: 'New title', status: 'published' })
  expect(answer).toMatchObject({ status: 422, body: { message: 'Too complex to render.' } })
  expect((await service.call('GET', `/pages/${id}`)).body.data).toMatchObject({
    status: 'draft',
    page_name: 'A page',
  })
  await expect
    .poll(async () => withoutRevision(await objects(storage, project)))
    .toEqual(withoutRevision(before))
})

describe('stages', () => {
  test('assets go first, the manifest last, and an unpublished page only after that', async () => {
    const { storage, project } = await startFaulty()
    const id = await create(project, { slug: 'staged', subroute: 'docs', type: 'docs' })
    storage.log.length = 0
    await publish(id)
    const puts = storage.log
      .filter((line) => line.startsWith('put '))
      .map((line) => line.replace(`put ${project}/`, ''))
    const stage = (key: string) =>
      /^(_assets\/|_icons\/|favicon|apple-touch-icon|site\.webmanifest)/.test(key)
        ? 0
        : key.startsWith('docs/')
          ? 1
          : key === '_index.json'
            ? 3
            : 2
    expect(puts.map(stage)).toEqual([...puts.map(stage)].sort())
    expect(new Set(puts.map(stage))).toEqual(new Set([0, 1, 2, 3]))

    storage.log.length = 0
    await service.call('POST', `/pages/${id}/unpublish`)
    const log = storage.log
      .filter((line) => /^(put|delete)/.test(line))
      .map((line) => line.replace(`${project}/`, ''))
    expect(log.indexOf('put _index.json')).toBeLessThan(log.indexOf('delete docs/staged/index.html'))
    expect(log.indexOf('delete _nav/docs/index.html')).toBeLessThan(
      log.indexOf('delete docs/staged/index.html'),
    )
  })

  test('a deleted project is removed manifest first, then files that reference pages, then pages', async () => {
    const { storage, project } = await startFaulty()
    for (const fields of [
      { slug: 'a' },
      { slug: 'start', subroute: 'docs', type: 'docs' },
      { slug: 'b', subroute: 'blog', tags: ['Trains'] },
    ])
      await publish(await create(project, fields))
    await service.call('PUT', `/projects/${project}`, { status: 'archived' })
    storage.log.length = 0
    expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
    const gone = storage.log
      .filter((line) => line.startsWith('delete '))
      .map((line) => line.replace(`delete ${project}/`, ''))
    const isPage = (key: string) => /^(a|docs|blog\/b)\//.test(key)
    expect(gone[0]).toBe('_index.json')
    const tagFiles = ['tags/index.html', 'blog/tags/trains/index.html', 'blog/tags/trains/feed.xml']
    const siteFiles = ['sitemap.xml', 'feed.xml', '_feed.json', 'llms.txt', '404.html', '_nav/docs.json']
    const last = Math.max(
      ...[...siteFiles, ...tagFiles].map((key) => {
        expect(gone).toContain(key)
        return gone.indexOf(key)
      }),
    )
    expect(last).toBeLessThan(gone.findIndex(isPage))
    expect(await storage.list(`${project}/`)).toEqual([])
  })
})

test('a deleted project is removed from the store before the answer, even when another holder has its lease briefly', async () => {
  const storage = createMemoryStorage()
  let refusals = 0
  service = await startService({
    storage,
    ledger: (ledger) => ({
      ...ledger,
      leases: {
        ...ledger.leases,
        take: async (...args) => (refusals-- > 0 ? null : ledger.leases.take(...args)),
      },
    }),
  })
  const project = await service.newProject()
  await publish(await create(project, { slug: 'a' }))
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  refusals = 3
  expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
  expect(await storage.list(`${project}/`)).toEqual([])
})

test('a revert that another lease holder has finished is not repeated', async () => {
  const storage = createMemoryStorage()
  let isLate = false
  service = await startService({
    storage,
    ledger: (ledger) => ({
      ...ledger,
      releaseQueue: {
        ...ledger.releaseQueue,
        unfinishedStates: async (id) => [
          ...(await ledger.releaseQueue.unfinishedStates(id)),
          ...(isLate ? (['reverting'] as const) : []),
        ],
      },
    }),
  })
  const project = await service.newProject()
  await publish(await create(project, { slug: 'a' }))
  const all = async () => withoutRevision(await objects(storage, project))
  const before = await all()
  isLate = true
  const id = await create(project, { slug: 'b' })
  expect((await publish(id)).status).toBe(200)
  expect((await service.call('POST', `/pages/${id}/unpublish`)).status).toBe(200)
  expect(await all()).toEqual(before)
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { createRandom } from '../support/random.ts'
import { expectRefusal } from '../support/refusal.ts'
import { startService, type TestService } from '../support/service.ts'

const fault = { key: '' }
const storage = createMemoryStorage({
  failOn: (operation, key) =>
    fault.key !== '' && operation === 'put' && key.endsWith(fault.key) ? new Error('Out of order.') : null,
})
let service: TestService
let project: string

beforeAll(async () => {
  service = await startService({ storage })
})
afterAll(() => service.close())
beforeEach(async () => {
  fault.key = ''
  project = await service.newProject('Acme')
})

const create = async (slug: string, tags: readonly string[], fields: object = {}, into = project) => {
  const body = { project_id: into, title: `The ${slug}`, slug, subroute: 'blog', type: 'article', tags }
  const answer = await service.call('POST', '/pages', { ...body, publish_date: '2026-01-01', ...fields })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data.id as string
}
const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
const createLive = async (slug: string, tags: readonly string[], fields: object = {}, into = project) => {
  const id = await create(slug, tags, fields, into)
  expect((await publish(id)).status).toBe(200)
  return id
}
const put = (id: string, body: object) => service.call('PUT', `/pages/${id}`, body)
const read = async (key: string, of = project) => {
  const body = await storage.get(`${of}/${key}`)
  return body === null ? null : Buffer.from(body).toString()
}
const tagFiles = async (of = project) =>
  (await storage.list(`${of}/`))
    .map((key) => key.slice(of.length + 1))
    .filter((key) => /(^|\/)tags\//.test(key))
const listed = async (key: string) =>
  [...((await read(key)) ?? '').matchAll(/<a class="card-link" href="[^"]*?([^"/]+)\/"/g)].map(([, at]) => at)

test('tags are up to twenty names on pages of every type, and lists of pages filter by any spelling', async () => {
  const types = ['article', 'docs', 'item', 'page']
  for (const type of types) await create(`a-${type}`, ['Node JS', 'node-js', 'Trains'], { type })
  await create('other', ['Trains'])
  await create('written', [], { tags: undefined, markdown_content: '---\ntags: [node.js]\n---\nText.' })
  const list = async (query: string) =>
    (await service.call('GET', `/pages?project_id=${project}&sort=slug&order=asc&${query}`)).body
  const found = await list('tag=NODE%20js')
  expect(found.data.map(({ slug }: { slug: string }) => slug)).toEqual([
    ...types.map((type) => `a-${type}`),
    'written',
  ])
  expect(found.meta.total).toBe(5)
  expect(found.data[0].tags).toEqual(['Node JS', 'Trains'])
  expect((await list('tag=nothing')).data).toEqual([])
  expect(await list('tag=!!')).toMatchObject({ statusCode: 422, name: 'invalid_request' })
  const legacy = await service.call('GET', `/v1/pages?project_id=${project}&tag=trains`)
  expect(legacy.body.data).toHaveLength(5)
  expect(Object.keys(legacy.body.data[0])).not.toContain('tags')
  const bad = await service.call('POST', '/pages', {
    ...{ project_id: project, title: 'A', slug: 'bad', subroute: 'blog', type: 'article' },
    tags: ['ok', '🎉', ...Array(20).fill('x')],
  })
  expect(bad.body).toMatchObject({ statusCode: 422, name: 'validation_error' })
  expect(bad.body.message).toContain('tags')
})

test('retagging moves an article between lists, and the last article of a tag takes its list with it', async () => {
  const [a, b] = [await createLive('a', ['Trains']), await createLive('b', ['trains', 'C++'])]
  expect(await tagFiles()).toEqual([
    ...['blog/tags/c-plus-plus/feed.xml', 'blog/tags/c-plus-plus/index.html', 'blog/tags/index.html'],
    ...['blog/tags/trains/feed.xml', 'blog/tags/trains/index.html', 'tags/index.html'],
  ])
  expect((await listed('blog/tags/trains/index.html')).toSorted()).toEqual(['a', 'b'])
  await put(b, { tags: ['Ships'] })
  expect((await listed('blog/tags/trains/index.html')).toSorted()).toEqual(['a', 'b'])
  await publish(b)
  expect(await listed('blog/tags/trains/index.html')).toEqual(['a'])
  expect(await listed('blog/tags/ships/index.html')).toEqual(['b'])
  expect(await read('blog/tags/c-plus-plus/index.html')).toBeNull()
  const log = storage.log.length
  await service.call('POST', `/pages/${a}/unpublish`)
  const deletes = storage.log.slice(log).filter((line) => line.startsWith('delete'))
  expect(deletes.some((line) => line.endsWith('blog/tags/trains/feed.xml'))).toBe(true)
  await service.call('DELETE', `/pages/${b}`)
  expect(await tagFiles()).toEqual([])
})

test('publishing an article writes its own tags and no others, however many there are', async () => {
  for (let n = 0; n < 8; n++) await createLive(`a-${n}`, [`t${n}`])
  const before = storage.log.length
  await createLive('new', ['t3'])
  const written = storage.log
    .slice(before)
    .filter((line) => line.startsWith('put') && line.includes('/tags/'))
  expect(written.map((line) => line.slice(line.indexOf('/') + 1)).toSorted()).toEqual([
    ...['blog/tags/index.html', 'blog/tags/t3/feed.xml', 'blog/tags/t3/index.html', 'tags/index.html'],
  ])
})

test('a page at the address of a tag wins, and the list comes back when it goes', async () => {
  await createLive('a', ['Trains'])
  const own = await createLive('trains', [], {
    type: 'docs',
    subroute: 'blog/tags',
    markdown_content: 'Own.',
  })
  expect(await read('blog/tags/trains/index.html')).toContain('Own.')
  expect(await read('blog/tags/trains/feed.xml')).toBeNull()
  const { warnings } = (await publish(own)).body.data
  expect(warnings).toMatchObject([{ code: 'QN-REPLACED-LIST', at: null }])
  expect(warnings[0].message).toContain('/blog/tags/trains, where the articles with the tag "Trains"')
  const refused = await service.call('POST', `/pages/${own}/publish`, { strict: true })
  expectRefusal(refused, 'validation_error', 'Move the page to keep them.')
  await createLive('b', ['Trains'])
  expect(await read('blog/tags/trains/index.html')).toContain('Own.')
  await service.call('POST', `/pages/${own}/unpublish`)
  expect((await listed('blog/tags/trains/index.html')).toSorted()).toEqual(['a', 'b'])
  expect(await read('blog/tags/trains/feed.xml')).toContain('The b')
})

test('a publish whose tag page cannot be stored leaves the tags as they were', async () => {
  await createLive('a', ['Trains'])
  const before = await Promise.all((await tagFiles()).map((key) => read(key)))
  fault.key = 'blog/tags/ships/index.html'
  const b = await create('b', ['Trains', 'Ships'])
  expect((await publish(b)).status).toBe(500)
  fault.key = ''
  await expect.poll(tagFiles).not.toContain('blog/tags/ships/feed.xml')
  await expect.poll(async () => Promise.all((await tagFiles()).map((key) => read(key)))).toEqual(before)
  expect((await publish(b)).status).toBe(200)
  expect(await listed('blog/tags/ships/index.html')).toEqual(['b'])
})

test('an article whose tag makes an address that no store can hold is refused, and others are published', async () => {
  const subroute = Array.from({ length: 8 }, () => 'a'.repeat(100)).join('/')
  const id = await create('a', ['安'.repeat(50)])
  const refused = await put(id, { subroute })
  expectRefusal(
    refused,
    'validation_error',
    'tags: The path',
    'is too long to be published',
    'Shorten the tag',
  )
  const site_routes = { blog: `/${subroute}` }
  await service.call('PUT', `/projects/${project}/settings`, { site_routes })
  expectRefusal(await publish(id), 'validation_error', 'is too long to be published', 'Shorten the tag')
  expect((await put(id, { title: 'Another' })).status).toBe(200)
  await service.call('PUT', `/projects/${project}/settings`, { site_routes: {} })
  await put(id, { tags: ['Trains'], subroute })
  expect((await publish(id)).status).toBe(200)
  expect(await tagFiles()).toContain(`${subroute}/tags/trains/index.html`)
})

test('in Data Mode no tag page names an article', async () => {
  const a = await createLive('a', ['Trains'])
  await service.call('POST', `/projects/${project}/data-mode/enable`)
  await publish(a)
  expect(await tagFiles()).toEqual([])
})

test('after any publishes, moves, retaggings and unpublishes the tag pages are those of a fresh project', async () => {
  const { pick, chance } = createRandom(7)
  const names = ['x', 'X', 'y z', 'Y-Z', 'w']
  const pages = new Map<string, { id: string; tags: readonly string[]; subroute: string }>()
  for (let step = 0; step < 40; step++) {
    const slug = `a-${pick([0, 1, 2, 3])}`
    const page = pages.get(slug)
    const tags = names.filter(() => chance(0.4))
    const subroute = pick(['blog', 'blog/2024', 'news'])
    if (page === undefined)
      pages.set(slug, { id: await createLive(slug, tags, { subroute }), tags, subroute })
    else if (chance(0.3)) {
      pages.delete(slug)
      await service.call('DELETE', `/pages/${page.id}`)
    } else {
      await put(page.id, { tags, subroute, status: 'published' })
      pages.set(slug, { ...page, tags, subroute })
    }
  }
  const fresh = await service.newProject('Acme')
  for (const [slug, { tags, subroute }] of pages) await createLive(slug, tags, { subroute }, fresh)
  const contents = async (of: string) => {
    const texts = await Promise.all((await tagFiles(of)).map(async (key) => [key, await read(key, of)]))
    return texts.map(([key, text]) => [key, text?.replaceAll(/(proj|page)_\w{16}/g, '$1')])
  }
  expect(await contents(project)).toEqual(await contents(fresh))
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const fault = { on: false }
const storage = createMemoryStorage({
  failOn: (operation, key) =>
    fault.on && operation === 'put' && key.endsWith('_index.json') ? new Error('Out of order.') : null,
})
let service: TestService
let project: string

beforeAll(async () => {
  service = await startService({ storage })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
})

const create = async (fields: object = {}): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = async (id: string): Promise<string> =>
  (await service.call('POST', `/pages/${id}/publish`)).body.data.release_id
const edit = (id: string, fields: object) => service.call('PUT', `/pages/${id}`, fields)
const releases = (id: string, query = '') => service.call('GET', `/pages/${id}/releases${query}`)
const rollBack = (id: string, release: unknown) =>
  service.call('POST', `/pages/${id}/rollback`, { release_id: release })
const fileAt = async (path: string) => Buffer.from((await storage.get(`${project}/${path}`)) ?? []).toString()

describe('the releases of a page', () => {
  test('are listed newest first, with what they were and which one is live', async () => {
    const id = await create({ slug: 'one', title: 'First' })
    expect((await releases(id)).body).toEqual({
      data: [],
      meta: { total: 0, limit: 25, offset: 0, has_more: false, next_cursor: null },
    })
    const first = await publish(id)
    await edit(id, { title: 'Second', slug: 'two' })
    const second = await publish(id)
    // The same again is no release of its own.
    expect(await publish(id)).toBe(second)
    await service.call('POST', `/pages/${id}/unpublish`)

    const { data, meta } = (await releases(id)).body
    expect(meta).toEqual({ total: 3, limit: 25, offset: 0, has_more: false, next_cursor: null })
    expect(data).toMatchObject([
      { op: 'unpublish', state: 'succeeded', current: false },
      { id: second, op: 'publish', state: 'succeeded', title: 'Second', url: '/two', current: false },
      { id: first, op: 'publish', title: 'First', url: '/one', error: null, restores: null },
    ])
    expect(data[1].finished_at >= data[1].created_at).toBe(true)
    await publish(id)
    expect((await releases(id)).body.data.map(({ current }: { current: boolean }) => current)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('are paged without overlap, and held to the rules of other lists', async () => {
    const id = await create()
    for (const title of ['A', 'B', 'C']) {
      await edit(id, { title })
      await publish(id)
    }
    const titles = async (query: string) =>
      (await releases(id, query)).body.data.map(({ title }: { title: string }) => title)
    expect([await titles('?limit=2'), await titles('?limit=2&offset=2'), await titles('?offset=9')]).toEqual([
      ['C', 'B'],
      ['A'],
      [],
    ])
    expect(await releases(id, '?limit=0')).toMatchObject({ status: 422, body: { name: 'invalid_request' } })
    expect((await releases('page_aaaaaaaaaaaaaaaa')).status).toBe(404)
  })

  test('name those that the store refused, and none that was refused to its caller', async () => {
    const id = await create({ slug: 'index', subroute: 'shop' })
    const twin = await create({ slug: 'shop' })
    await publish(id)
    expect((await service.call('POST', `/pages/${twin}/publish`)).status).toBe(400)
    expect((await releases(twin)).body.data).toEqual([])
    await edit(id, { title: 'Edited' })
    fault.on = true
    expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(500)
    fault.on = false
    const [failed, live] = (await releases(id)).body.data
    expect(failed).toMatchObject({ state: 'failed', title: 'Edited', current: false })
    expect(failed.error).toContain('Publishing failed')
    expect(live).toMatchObject({ state: 'succeeded', current: true })
  })
})

describe('a rollback', () => {
  test('puts the bytes of an earlier release live again and leaves the draft alone', async () => {
    const id = await create({ slug: 'one', title: 'First', markdown_content: 'Before.' })
    const first = await publish(id)
    const before = await fileAt('one/index.html')
    await edit(id, { title: 'Second', markdown_content: 'After.' })
    await service.call('PUT', `/projects/${project}/settings`, { theme: 'dark' })
    await publish(id)
    await edit(id, { markdown_content: 'A draft.' })
    const draft = (await service.call('GET', `/pages/${id}`)).body.data

    const answer = await rollBack(id, first)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ id, status: 'published' })
    expect(answer.body.data.release_id).not.toBe(first)
    expect(answer.body.data.url).toMatch(/\/one$/)
    expect(await fileAt('one/index.html')).toBe(before)
    const names = [...before.matchAll(/_assets\/[\w.-]+/g)].map(([name]) => name)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(await fileAt(name)).not.toBe('')

    const after = (await service.call('GET', `/pages/${id}`)).body.data
    const { published_at, stale, ...kept } = draft
    expect(after).toMatchObject({ ...kept, has_unpublished_changes: true })
    expect(after.published_at).toBe(answer.body.data.published_at)
    expect(after.stale).toEqual(['content', 'theme'])
    const index = (await service.call('GET', `/public/${project}/_index.json`)).body
    // The settings of the site do not go back with one page.
    expect(index.theme).toBe('dark')
    expect(index.pages).toMatchObject([{ title: 'First', published_at: after.published_at }])

    const [current] = (await releases(id)).body.data
    expect(current).toMatchObject({ op: 'rollback', restores: first, title: 'First', current: true })
    // A rollback is a release, and can be gone back to.
    await publish(id)
    expect((await rollBack(id, answer.body.data.release_id)).status).toBe(200)
    expect(await fileAt('one/index.html')).toBe(before)
  })

  test('puts the lists of the tags of its time back, and removes those of the later ones', async () => {
    await publish(await create({ slug: 'other', subroute: 'blog', tags: ['Trains'] }))
    const id = await create({ slug: 'one', subroute: 'blog', title: 'First', tags: ['Trains', 'Maps'] })
    const first = await publish(id)
    const tagFiles = async () => {
      const keys = (await storage.list(`${project}/`)).filter((key) => key.includes('/tags/'))
      const texts = keys.map(async (key) => [key, Buffer.from((await storage.get(key)) ?? []).toString()])
      return Object.fromEntries(await Promise.all(texts))
    }
    const before = await tagFiles()
    await edit(id, { title: 'Second', tags: ['ships'] })
    await publish(id)
    expect(Object.keys(await tagFiles())).toContain(`${project}/blog/tags/ships/index.html`)
    expect(Object.keys(await tagFiles())).not.toContain(`${project}/blog/tags/maps/index.html`)

    expect((await rollBack(id, first)).status).toBe(200)
    expect(await tagFiles()).toEqual(before)
    const { tags, has_unpublished_changes } = (await service.call('GET', `/pages/${id}`)).body.data
    expect({ tags, has_unpublished_changes }).toEqual({ tags: ['ships'], has_unpublished_changes: true })
    await publish(id)
    expect(await fileAt('blog/tags/ships/index.html')).toContain('Second')
    expect(await fileAt('blog/tags/trains/index.html')).not.toContain('First')
  })

  test('to the live release changes nothing', async () => {
    const id = await create()
    const release = await publish(id)
    const answer = await rollBack(id, release)
    expect(answer.body.data).toMatchObject({ release_id: release, changed: false })
  })

  test('brings a page back that is not live any more, at the path it had', async () => {
    const id = await create({ slug: 'old', type: 'docs', subroute: 'docs' })
    const release = await publish(id)
    await service.call('POST', `/pages/${id}/unpublish`)
    await edit(id, { slug: 'new' })
    expect((await rollBack(id, release)).body.data.url).toMatch(/\/docs\/old$/)
    expect((await service.call('GET', `/public/${project}/docs/old/`)).status).toBe(200)
    const page = (await service.call('GET', `/pages/${id}`)).body.data
    expect(page).toMatchObject({ status: 'published', slug: 'new' })
    const nav = (await service.call('GET', `/public/${project}/_nav/docs.json`)).body
    expect(nav.items).toMatchObject([{ path: '/docs/old' }])
  })

  test('is a conflict when another page stands in its way', async () => {
    const id = await create({ slug: 'place' })
    const release = await publish(id)
    await edit(id, { slug: 'elsewhere' })
    await publish(id)
    await publish(await create({ slug: 'place' }))
    expect(await rollBack(id, release)).toMatchObject({ status: 400, body: { name: 'conflict' } })
  })

  test('leaves what was live when the store refuses it', async () => {
    const id = await create({ slug: 'kept', markdown_content: 'Before.' })
    const first = await publish(id)
    await edit(id, { markdown_content: 'After.' })
    await publish(id)
    const live = await fileAt('kept/index.html')
    fault.on = true
    expect((await rollBack(id, first)).status).toBe(500)
    fault.on = false
    await expect.poll(() => fileAt('kept/index.html')).toBe(live)
  })

  test('takes the release of this page that was live, and nothing else', async () => {
    const [id, other] = [await create({ slug: 'one' }), await create({ slug: 'two' })]
    await publish(id)
    const foreign = await publish(other)
    await service.call('POST', `/pages/${id}/unpublish`)
    const [unpublished] = (await releases(id)).body.data
    for (const wrong of [foreign, unpublished.id, 'rel_aaaaaaaaaaaaaaaa', id, 'x', 7]) {
      const refused = await rollBack(id, wrong)
      expect(refused).toMatchObject({ status: 422, body: { name: 'validation_error' } })
      expect(refused.body.message).toContain('release_id')
    }
    expect(await rollBack(id, undefined)).toMatchObject({ body: { name: 'missing_required_field' } })
    const unknown = await service.call('POST', `/pages/${id}/rollback`, { release_id: foreign, to: 1 })
    expect(unknown.body.message).toContain('to')
    expect((await rollBack('page_aaaaaaaaaaaaaaaa', foreign)).status).toBe(404)
  })

  test('is a publish to permissions and to an archived project', async () => {
    const id = await create()
    const release = await publish(id)
    const key = await service.newKey({ permissions: ['read', 'write'] })
    const body = { release_id: release }
    expect((await service.call('POST', `/pages/${id}/rollback`, body, { key })).status).toBe(403)
    await service.call('PUT', `/projects/${project}`, { status: 'archived' })
    expect((await rollBack(id, release)).status).toBe(403)
    expect((await releases(id)).status).toBe(200)
  })
})

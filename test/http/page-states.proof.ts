import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let n = 0

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())
beforeEach(() => {
  n++
})

const create = async (fields: object = {}) => {
  const { body } = await service.call(
    'POST',
    '/pages',
    pageBody(project, { slug: `page-${n}`, markdown_content: 'Hello.', ...fields }),
  )
  return body.data
}
const get = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data
const visit = (path: string) => service.call('GET', `/public/${project}${path}`, undefined, { key: null })
const manifest = async () => (await visit('/_index.json')).body

describe('(none) → draft', () => {
  test('a created page is a draft that was never published and has no public URL', async () => {
    const page = await create()
    expect(page).toMatchObject({ status: 'draft', published_at: null })
    expect((await visit(`/page-${n}/`)).status).toBe(404)
  })

  test('a slug is unique in project and subroute, and free in another subroute', async () => {
    await create()
    const again = await service.call('POST', '/pages', pageBody(project, { slug: `page-${n}` }))
    expect(again).toMatchObject({ status: 400, body: { statusCode: 400, name: 'conflict' } })
    expect(
      (await service.call('POST', '/pages', pageBody(project, { slug: `page-${n}`, subroute: 'other' })))
        .status,
    ).toBe(201)
  })

  test('the project must exist', async () => {
    const answer = await service.call('POST', '/pages', pageBody('proj_aaaaaaaaaaaaaaaa'))
    expect(answer).toMatchObject({ status: 404, body: { name: 'not_found' } })
  })
})

describe('draft → published', () => {
  test('POST publish puts the page on the CDN and into the manifest', async () => {
    const { id } = await create({ title: 'Fresh' })
    const { status, body } = await service.call('POST', `/pages/${id}/publish`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, status: 'published', published_at: expect.any(String) })
    expect(body.data.release_id).toMatch(/^rel_/)
    expect(await get(id)).toMatchObject({ status: 'published', published_at: body.data.published_at })
    const visited = await visit(`/page-${n}/`)
    expect(visited.status).toBe(200)
    expect(visited.body).toContain('Hello.')
    expect((await manifest()).pages).toContainEqual(
      expect.objectContaining({ id, title: 'Fresh', slug: `page-${n}`, file: `page-${n}/index.html` }),
    )
  })

  test('PUT status published makes the edited page visible at once', async () => {
    const { id } = await create()
    const { status, body } = await service.call('PUT', `/pages/${id}`, {
      markdown_content: 'Edited.',
      status: 'published',
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ status: 'published', markdown_content: 'Edited.' })
    expect((await visit(`/page-${n}/`)).body).toContain('Edited.')
  })
})

describe('updated_at', () => {
  test('moves on edits only, not with the status', async () => {
    const { id, updated_at } = await create()
    for (const status of ['published', 'draft', 'archived', 'draft']) {
      const { body } = await service.call('PUT', `/pages/${id}`, { status })
      expect(body.data).toMatchObject({ status, updated_at })
    }
    expect((await service.call('PUT', `/pages/${id}`, { title: 'A page' })).body.data.updated_at).not.toBe(
      updated_at,
    )
  })
})

describe('published → published', () => {
  test('an edit stays invisible until the page is published again', async () => {
    const { id } = await create()
    await service.call('POST', `/pages/${id}/publish`)
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Second.' })
    expect((await visit(`/page-${n}/`)).body).toContain('Hello.')
    await service.call('POST', `/pages/${id}/publish`)
    expect((await visit(`/page-${n}/`)).body).toContain('Second.')
  })

  test('publishing the same content again changes nothing and repeats the live release', async () => {
    const { id } = await create()
    const first = await service.call('POST', `/pages/${id}/publish`)
    const again = await service.call('POST', `/pages/${id}/publish`)
    expect(again.body.data).toEqual({ ...first.body.data, changed: false })
  })

  test('settings reach a page when it is published again', async () => {
    const { id } = await create()
    await service.call('POST', `/pages/${id}/publish`)
    await service.call('PUT', `/projects/${project}/settings`, { footer_text: `Footer ${n}` })
    expect((await visit(`/page-${n}/`)).body).not.toContain(`Footer ${n}`)
    await service.call('POST', `/pages/${id}/publish`)
    expect((await visit(`/page-${n}/`)).body).toContain(`Footer ${n}`)
  })

  test('a renamed page leaves its old address when it is published again', async () => {
    const { id } = await create()
    await service.call('POST', `/pages/${id}/publish`)
    await service.call('PUT', `/pages/${id}`, { slug: `renamed-${n}` })
    expect((await visit(`/page-${n}/`)).status).toBe(200)
    await service.call('POST', `/pages/${id}/publish`)
    expect((await visit(`/renamed-${n}/`)).status).toBe(200)
    expect((await manifest()).pages.filter((page: { id: string }) => page.id === id)).toHaveLength(1)
  })
})

describe('published → draft', () => {
  test('POST unpublish removes the page from the CDN and the manifest, and keeps its content', async () => {
    const { id } = await create()
    const { body: published } = await service.call('POST', `/pages/${id}/publish`)
    const { status, body } = await service.call('POST', `/pages/${id}/unpublish`)
    expect(status).toBe(200)
    expect(body.data).toEqual({ id, status: 'draft', unpublished_at: expect.any(String) })
    expect(await get(id)).toMatchObject({
      status: 'draft',
      markdown_content: 'Hello.',
      published_at: published.data.published_at,
    })
    expect((await visit(`/page-${n}/`)).status).toBe(404)
    expect((await manifest()).pages.map((page: { id: string }) => page.id)).not.toContain(id)
  })

  test('for a docs page the navigation is written without it', async () => {
    const one = await create({ type: 'docs', subroute: `docs-${n}`, slug: 'one', title: 'One' })
    const two = await create({ type: 'docs', subroute: `docs-${n}`, slug: 'two', title: 'Two' })
    for (const { id } of [one, two]) await service.call('POST', `/pages/${id}/publish`)
    const nav = async () =>
      (await visit(`/_nav/docs-${n}.json`)).body.items.map((item: { title: string }) => item.title)
    expect(await nav()).toEqual(['One', 'Two'])
    await service.call('POST', `/pages/${one.id}/unpublish`)
    expect(await nav()).toEqual(['Two'])
  })

  test('PUT status draft unpublishes', async () => {
    const { id } = await create()
    await service.call('POST', `/pages/${id}/publish`)
    expect((await service.call('PUT', `/pages/${id}`, { status: 'draft' })).body.data.status).toBe('draft')
    expect((await visit(`/page-${n}/`)).status).toBe(404)
  })
})

describe('draft → unpublish', () => {
  test('is 409 not_published, and stays a draft', async () => {
    const { id } = await create()
    const answer = await service.call('POST', `/pages/${id}/unpublish`)
    expect(answer).toMatchObject({ status: 409, body: { statusCode: 409, name: 'not_published' } })
    expect((await get(id)).status).toBe('draft')
  })

  test('succeeds exactly once for two unpublishes at once', async () => {
    const { id } = await create()
    await service.call('POST', `/pages/${id}/publish`)
    const answers = await Promise.all([1, 2].map(() => service.call('POST', `/pages/${id}/unpublish`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('archived', () => {
  test('PUT status archived takes a live page off the CDN', async () => {
    const { id } = await create()
    await service.call('POST', `/pages/${id}/publish`)
    expect((await service.call('PUT', `/pages/${id}`, { status: 'archived' })).body.data.status).toBe(
      'archived',
    )
    expect((await visit(`/page-${n}/`)).status).toBe(404)
  })

  test('an archived page can be edited and published again, but not unpublished', async () => {
    const { id } = await create()
    await service.call('PUT', `/pages/${id}`, { status: 'archived' })
    expect((await service.call('POST', `/pages/${id}/unpublish`)).status).toBe(409)
    expect((await service.call('PUT', `/pages/${id}`, { title: 'Again' })).status).toBe(200)
    expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)
    expect((await get(id)).status).toBe('published')
  })
})

describe('two pages on one path', () => {
  test('the second publish is a conflict, and its edit is not kept', async () => {
    const folder = await create({ slug: 'index', subroute: `shop-${n}` })
    const page = await create({ slug: `shop-${n}` })
    await service.call('POST', `/pages/${folder.id}/publish`)
    const refused = await service.call('PUT', `/pages/${page.id}`, { title: 'Never', status: 'published' })
    expect(refused).toMatchObject({ status: 400, body: { name: 'conflict' } })
    expect(await get(page.id)).toMatchObject({ status: 'draft', page_name: 'A page' })
  })
})

describe('delete', () => {
  test('a live page is unpublished first and then gone', async () => {
    const { id } = await create()
    await service.call('POST', `/pages/${id}/publish`)
    expect((await service.call('DELETE', `/pages/${id}`)).body).toEqual({
      data: { id, deleted: true, lost_addresses: 1 },
    })
    expect((await service.call('GET', `/pages/${id}`)).status).toBe(404)
    expect((await visit(`/page-${n}/`)).status).toBe(404)
  })
})

describe('a PUT of the status', () => {
  const put = (id: string, body: object) => service.call('PUT', `/pages/${id}`, body)

  test('published publishes a page with warnings: only a strict publish refuses it', async () => {
    const page = await create({ type: 'docs', markdown_content: 'A [link](/gone).' })
    expect(await put(page.id, { status: 'published' })).toMatchObject({
      status: 200,
      body: { data: { status: 'published' } },
    })
    const strict = await service.call('POST', `/pages/${page.id}/publish`, { strict: true })
    expect(strict).toMatchObject({ status: 422, body: { name: 'validation_error' } })
    expect((await put(page.id, { status: 'published', title: 'Edited' })).status).toBe(200)
    expect(await get(page.id)).toMatchObject({ page_name: 'Edited', has_unpublished_changes: false })
  })

  test.each(['draft', 'archived'])(
    '%s is no fault when the page left the live site meanwhile',
    async (status) => {
      const page = await create()
      await put(page.id, { status: 'published' })
      const answers = await Promise.all(Array.from({ length: 4 }, () => put(page.id, { status })))
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
      expect(await get(page.id)).toMatchObject({ status })
      expect((await visit(`/page-${n}/`)).status).toBe(404)
    },
  )

  test('draft is no fault beside an unpublish, of which one of several succeeds', async () => {
    const page = await create()
    await put(page.id, { status: 'published' })
    const unpublish = () => service.call('POST', `/pages/${page.id}/unpublish`)
    const answers = await Promise.all([unpublish(), unpublish(), unpublish()])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
    expect((await put(page.id, { status: 'draft' })).status).toBe(200)
  })
})

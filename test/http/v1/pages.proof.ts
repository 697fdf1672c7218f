import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { some } from '../../support/long-form.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { startService, type TestService } from '../../support/service.ts'

const ID = /^[a-z0-9]{16}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let service: TestService
let project: string
let made = 0

beforeAll(async () => {
  service = await startService()
  project = (await service.call('POST', '/v1/projects', { name: 'Site' })).body.data.id
})
afterAll(() => service.close())

const bodyOf = (fields: object = {}) => ({
  project_id: project,
  page_name: 'A page',
  slug: `page-${++made}`,
  ...fields,
})
const create = (fields: object = {}) => service.call('POST', '/v1/pages', bodyOf(fields))
const created = async (fields: object = {}) => (await create(fields)).body.data
const update = (id: string, fields: object) => service.call('PUT', `/v1/pages/${id}`, fields)
const get = async (id: string) => (await service.call('GET', `/v1/pages/${id}`)).body.data
const getCurrent = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data
const visit = (path: string) =>
  service.call('GET', `/public/proj_${project}${path}`, undefined, { key: null })

/** Values of a field with their stored form, the same on create and on update. */
const ACCEPTED: readonly (readonly [field: string, given: unknown, stored: unknown, claim: string])[] = [
  ['page_name', 'x', 'x', 'one character'],
  ['page_name', 'x'.repeat(200), 'x'.repeat(200), '200 characters'],
  ['page_name', '🖨'.repeat(200), '🖨'.repeat(200), '200 characters of two code units each'],
  ['slug', 'a', 'a', 'one letter'],
  ['slug', '7', '7', 'one digit'],
  ['slug', 'My-POST', 'my-post', 'capitals, stored in lower case'],
  ['slug', 's'.repeat(100), 's'.repeat(100), '100 characters'],
  ['slug', '-a-', '-a-', 'hyphens around a letter'],
  ['subroute', '', '', 'the empty text'],
  ['subroute', '/Blog/2026/', 'blog/2026', 'slashes around it and capitals, stored without'],
  ['subroute', 'a/b/c/d/e/f/g/h', 'a/b/c/d/e/f/g/h', '8 segments'],
  ['subroute', 's'.repeat(100), 's'.repeat(100), 'a segment of 100 characters'],
  ['markdown_content', '', '', 'the empty text'],
  ['markdown_content', '# Hi\n\n<b>raw</b> \u0001', '# Hi\n\n<b>raw</b> \u0001', 'any text but U+0000'],
  ['config', {}, {}, 'the empty object'],
  ['config', { a: [1, { b: null }] }, { a: [1, { b: null }] }, 'any JSON'],
  ['config', { sections: [{ type: 'hero' }] }, { sections: [{ type: 'hero' }] }, 'sections'],
  ['config', { theme: 'dark' }, { theme: 'dark' }, 'a known theme'],
]

const REFUSED: readonly (readonly [field: string, given: unknown, claim: string])[] = [
  ['page_name', '', 'the empty text'],
  ['page_name', ' \u3000', 'blanks alone'],
  ['page_name', 'x'.repeat(201), '201 characters'],
  ['page_name', 'a\nb', 'a line break'],
  ['page_name', 7, 'a number'],
  ['slug', '', 'the empty text'],
  ['slug', '---', 'hyphens alone'],
  ['slug', 'a_b', 'an underscore'],
  ['slug', 'ä', 'a letter that is not ASCII'],
  ['slug', 'a b', 'a blank'],
  ['slug', '../a', 'a path'],
  ['slug', 's'.repeat(101), '101 characters'],
  ['slug', ['a'], 'a list'],
  ['subroute', 'a//b', 'an empty segment'],
  ['subroute', 'a/../b', 'a segment of dots'],
  ['subroute', 'a/b/c/d/e/f/g/h/i', '9 segments'],
  ['subroute', 's'.repeat(101), 'a segment of 101 characters'],
  ['subroute', null, 'null'],
  ['type', 'blog', 'an unknown type'],
  ['type', 'Post', 'a type in capitals'],
  ['type', null, 'null'],
  ['markdown_content', 5, 'a number'],
  ['markdown_content', 'a\0', 'U+0000'],
  ['markdown_content', null, 'null'],
  ['config', [], 'a list'],
  ['config', 'x', 'a text'],
  ['config', null, 'null'],
  ['config', { big: 'x'.repeat(512 * 1024) }, 'more than 512 KiB'],
]

describe('POST /v1/pages', () => {
  test('makes a draft with every default from the required fields alone', async () => {
    const answer = await create({ slug: 'defaults' })
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(ID),
        project_id: project,
        page_name: 'A page',
        slug: 'defaults',
        subroute: '',
        type: 'page',
        markdown_content: '',
        config: {},
        is_published: false,
        created_at: expect.stringMatching(TIME),
        updated_at: answer.body.data.created_at,
      },
    })
    expect(await get(answer.body.data.id)).toEqual(answer.body.data)
  })

  test.each([
    ['page', 'page', 'page'],
    ['post', 'post', 'article'],
    ['doc', 'doc', 'docs'],
    ['article', 'post', 'article'],
    ['docs', 'doc', 'docs'],
    ['item', 'page', 'item'],
  ])('a %s is a %s here and %s on the current surface', async (type, shown, current) => {
    const page = await created({ type })
    expect(page.type).toBe(shown)
    expect((await getCurrent(page.id)).type).toBe(current)
  })

  test.each(some(ACCEPTED))('%s takes %j (stored as %j): %s', async (field, given, stored) => {
    const { status, body } = await create({ subroute: `create-${made}`, [field]: given })
    expect({ status, [field]: body.data[field] }).toEqual({ status: 201, [field]: stored })
  })

  test.each(some(REFUSED))('%s refuses %.20j: %s', async (field, given) => {
    const slug = `refused-${++made}`
    const answer = await create({ slug, [field]: given })
    expectRefusal(answer, 'validation_error', `${field}: `)
    const list = await service.call('GET', `/pages?project_id=${project}&slug=${slug}`)
    expect(list.body.meta.total).toBe(0)
  })

  test('config refuses U+0000 in a name, and names the place', async () => {
    const answer = await create({ slug: 'refused-name', config: { 'a\0': 1 } })
    expectRefusal(answer, 'validation_error', 'config.a\ufffd: ')
  })

  test.each(['project_id', 'page_name', 'slug'])('%s must be there and not be null', async (field) => {
    for (const absent of [undefined, null])
      expectRefusal(await create({ [field]: absent }), 'missing_required_field', `${field}: required.`)
  })

  test('every missing and every wrong field is named at once', async () => {
    const answer = await service.call('POST', '/v1/pages', { subroute: 'a b', type: 'x' })
    const mentions = ['project_id: ', 'page_name: ', 'slug: ', 'subroute: ', 'type: ']
    expectRefusal(answer, 'missing_required_field', ...mentions)
  })

  test('title is page_name; both with different values are refused', async () => {
    expect(await created({ page_name: undefined, title: 'As title' })).toMatchObject({
      page_name: 'As title',
    })
    expect(await created({ page_name: 'Same', title: 'Same' })).toMatchObject({ page_name: 'Same' })
    expectRefusal(await create({ page_name: 'One', title: 'Other' }), 'validation_error', 'page_name: ')
  })

  test('sections of a page are checked in structure, with their path', async () => {
    const answer = await create({ config: { sections: [{ type: 'hero' }, 5], theme: 'nope' } })
    expectRefusal(answer, 'validation_error', 'config.sections[1]', 'config.theme: ')
    expect((await create({ type: 'post', config: { sections: 5, theme: 'nope' } })).status).toBe(201)
  })

  test('fields the surface does not know are ignored, those of the current one too', async () => {
    const page = await created({
      id: 'mine',
      status: 'published',
      is_published: true,
      description: 'Not here',
      meta: 5,
      anything: { at: 'all' },
    })
    expect(page).toMatchObject({ id: expect.stringMatching(ID), is_published: false })
    expect(await getCurrent(page.id)).toMatchObject({ status: 'draft', description: '' })
  })

  test.each(['', 'proj_'])('project_id may be written with the prefix %j', async (prefix) => {
    expect(await created({ project_id: `${prefix}${project}` })).toMatchObject({ project_id: project })
  })

  test.each(['aaaaaaaaaaaaaaaa', 'nonsense', ''])('the project %j does not exist', async (id) => {
    expectRefusal(await create({ project_id: id }), 'not_found')
  })

  test('a slug is taken once in a subroute, in whatever case, and free in another', async () => {
    await created({ slug: 'taken' })
    expectRefusal(await create({ slug: 'TAKEN' }), 'conflict', 'taken')
    expect((await create({ slug: 'taken', subroute: 'elsewhere' })).status).toBe(201)
  })
})

describe('GET /v1/pages/:id', () => {
  test('takes the id in both forms', async () => {
    const page = await created()
    for (const ref of [page.id, `page_${page.id}`]) expect(await get(ref)).toEqual(page)
  })

  test.each(['aaaaaaaaaaaaaaaa', 'publish', 'proj_aaaaaaaaaaaaaaaa'])('%s is no page', async (id) => {
    expectRefusal(await service.call('GET', `/v1/pages/${id}`), 'not_found')
  })

  test('absent Markdown is "" for every type, where the current surface may have null', async () => {
    for (const [type, current] of [
      ['page', null],
      ['item', null],
      ['post', ''],
      ['doc', ''],
    ]) {
      const { id } = await created({ type })
      expect((await get(id)).markdown_content).toBe('')
      expect((await getCurrent(id)).markdown_content).toBe(current)
    }
  })
})

describe('PUT /v1/pages/:id', () => {
  test.each(some(ACCEPTED))(
    '%s takes %j (stored as %j) and nothing else changes: %s',
    async (field, given, stored) => {
      const before = await created({
        subroute: `update-${made}`,
        markdown_content: 'Old.',
        config: { old: 1 },
      })
      const { status, body } = await update(before.id, { [field]: given })
      const { updated_at: updatedAt } = body.data
      expect({ status, data: body.data }).toEqual({
        status: 200,
        data: { ...before, [field]: stored, updated_at: updatedAt },
      })
      expect(updatedAt > before.updated_at).toBe(true)
      expect(await get(before.id)).toEqual(body.data)
    },
  )

  test.each(some(REFUSED))('%s refuses %.20j and nothing changes: %s', async (field, given) => {
    const before = await created()
    const answer = await update(before.id, { page_name: 'Never', [field]: given })
    expectRefusal(answer, 'validation_error', `${field}: `)
    expect(await get(before.id)).toEqual(before)
  })

  test('what GET answered may be sent back whole', async () => {
    const page = await created({ type: 'doc', subroute: 'docs', config: { a: 1 }, markdown_content: 'x' })
    const { status, body } = await update(page.id, page)
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...page, updated_at: body.data.updated_at })
  })

  test('title is page_name; of both, the one that differs from the stored title wins', async () => {
    const { id } = await created({ page_name: 'Old' })
    expect((await update(id, { title: 'New' })).body.data.page_name).toBe('New')
    expect((await update(id, { title: 'New', page_name: 'Newer' })).body.data.page_name).toBe('Newer')
    expect((await update(id, { title: 'Newest', page_name: 'Newer' })).body.data.page_name).toBe('Newest')
    expectRefusal(await update(id, { title: 'One', page_name: 'Two' }), 'validation_error', 'page_name: ')
  })

  test('config replaces the stored one', async () => {
    const { id } = await created({ config: { a: 1, b: 2 } })
    expect((await update(id, { config: { b: 3 } })).body.data.config).toEqual({ b: 3 })
  })

  test('status and is_published are none of its fields', async () => {
    const { id } = await created()
    const { body } = await update(id, { status: 'published', is_published: true })
    expect(body.data.is_published).toBe(false)
  })

  test.each([{}, { status: 'published' }, { type: 'post' }])('%j is no edit of a post', async (fields) => {
    const before = await created({ type: 'post' })
    expect((await update(before.id, fields)).body.data).toEqual(before)
  })

  test('a slug that another page has in the subroute is a conflict', async () => {
    await created({ slug: 'held' })
    const { id } = await created()
    expectRefusal(await update(id, { slug: 'Held' }), 'conflict', 'held')
    expect((await update(id, { slug: 'held', subroute: 'free' })).status).toBe(200)
  })

  test('a stale If-Match is refused, and nothing is written', async () => {
    const { id } = await created()
    const { headers } = await service.call('GET', `/v1/pages/${id}`)
    const put = (fields: object) =>
      service.call('PUT', `/v1/pages/${id}`, fields, {
        headers: { 'If-Match': headers.get('etag') ?? expect.unreachable() },
      })
    expect((await put({ page_name: 'First' })).status).toBe(200)
    expect(await put({ page_name: 'Second' })).toMatchObject({
      status: 412,
      body: { name: 'precondition_failed' },
    })
    expect((await get(id)).page_name).toBe('First')
  })
})

describe('a change of type', () => {
  test.each([
    ['page', 'post', 'article'],
    ['post', 'doc', 'docs'],
    ['doc', 'page', 'page'],
    ['doc', 'article', 'article'],
    ['post', 'docs', 'docs'],
    ['page', 'item', 'item'],
  ])('from %s to %s holds on both surfaces', async (from, to, current) => {
    const { id } = await created({ type: from })
    expect((await update(id, { type: to })).status).toBe(200)
    expect((await getCurrent(id)).type).toBe(current)
  })

  test.each(['page', 'post', 'doc', 'article', 'docs', 'item'])(
    'an item stays an item, even when sent back as %s',
    async (type) => {
      const { id } = await created({ type: 'item' })
      expect((await update(id, { type, page_name: 'Edited' })).body.data).toMatchObject({
        type: 'page',
        page_name: 'Edited',
      })
      expect((await getCurrent(id)).type).toBe('item')
    },
  )

  test('keeps the fields of the other type for when it comes back', async () => {
    const fields = { title: 'Post', slug: 'own', subroute: 'own', type: 'article' }
    const own = { author: { name: 'Ada', avatar: null }, publish_date: '2026-02-03T00:00:00.000Z' }
    const made = await service.call('POST', '/pages', { project_id: project, ...fields, ...own })
    const { id } = made.body.data
    await update(id, { type: 'doc' })
    expect(await getCurrent(id)).not.toHaveProperty('author')
    await update(id, { type: 'post' })
    expect(await getCurrent(id)).toMatchObject(own)
  })

  test('to page holds the stored config to the rules of a page', async () => {
    const { id } = await created({ type: 'post', config: { sections: 'none' } })
    expectRefusal(await update(id, { type: 'page' }), 'validation_error', 'config.sections: ')
    expect((await update(id, { type: 'page', config: {} })).status).toBe(200)
  })

  test('counts the words a visitor of the new type reads', async () => {
    const { id } = await created({ type: 'post', markdown_content: 'One two three.' })
    expect((await getCurrent(id)).word_count).toBe(3)
    await update(id, { type: 'page' })
    expect((await getCurrent(id)).word_count).toBe(3)
  })

  test('reaches the navigation of a live docs page when it is published again', async () => {
    const { id } = await created({ type: 'doc', subroute: 'moved', slug: 'moving' })
    const publish = () => service.call('POST', '/v1/pages/publish', { pageId: id })
    await publish()
    await update(id, { type: 'post' })
    expect(JSON.stringify((await visit('/_nav/moved.json')).body)).toContain('moving')
    await publish()
    expect((await visit('/_nav/moved.json')).status).toBe(404)
    expect((await visit('/_index.json')).body.pages).toContainEqual(
      expect.objectContaining({ id: `page_${id}`, type: 'article' }),
    )
  })
})

describe('GET /v1/pages', () => {
  let many: string
  const list = (query: string) => service.call('GET', `/v1/pages?project_id=${many}${query}`)

  beforeAll(async () => {
    many = (await service.call('POST', '/v1/projects', { name: 'Many' })).body.data.id
    for (let n = 0; n < 23; n++) {
      const type = ['page', 'post', 'doc', 'item'][n % 4]
      await created({ project_id: many, type, markdown_content: 'Text', config: { n } })
    }
  })

  test('an item has no content and nothing of the current surface', async () => {
    const { body } = await list('&limit=1')
    const { markdown_content: _, config: __, ...item } = await get(body.data[0].id)
    expect(body.data).toEqual([item])
    expect(Object.keys(item).sort()).toEqual([
      'created_at',
      'id',
      'is_published',
      'page_name',
      'project_id',
      'slug',
      'subroute',
      'type',
      'updated_at',
    ])
  })

  test('has 20 items by default, and has_more and total at the top level', async () => {
    const { body } = await list('')
    expect(body.data).toHaveLength(20)
    expect({ ...body, data: [] }).toEqual({ success: true, data: [], has_more: true, total: 23 })
  })

  test('goes from the newest to the oldest, however recently they were edited', async () => {
    const last = (await list('&offset=22')).body.data[0]
    await update(last.id, { page_name: 'Edited' })
    const { body } = await list('&limit=100')
    const byCreation = await service.call(
      'GET',
      `/pages?project_id=${many}&limit=100&sort=created_at&order=desc`,
    )
    const ids = body.data.map(({ id }: { id: string }) => `page_${id}`)
    expect(ids).toEqual(byCreation.body.data.map(({ id }: { id: string }) => id))
    expect(ids.at(-1)).toBe(`page_${last.id}`)
  })

  test.each([
    ['&limit=1', 1, true],
    ['&limit=100', 23, false],
    ['&limit=20&offset=3', 20, false],
    ['&limit=20&offset=2', 20, true],
    ['&offset=22', 1, false],
    ['&offset=23', 0, false],
    ['&offset=1000', 0, false],
  ])('with %s shows this many pages: %i', async (query, shown, more) => {
    const { body } = await list(query)
    expect({ ...body, data: body.data.length }).toEqual({
      success: true,
      data: shown,
      has_more: more,
      total: 23,
    })
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=',
    'offset=-1',
    'offset=x',
    'limit=5&limit=5',
  ])('is invalid_request with the query %s', async (query) => {
    expectRefusal(await list(`&${query}`), 'invalid_request', query.split('=')[0] ?? '')
  })

  test('parameters of the current surface mean nothing here', async () => {
    const { body } = await list('&type=doc&status=published&slug=none&sort=x&include_content=true')
    expect(body.total).toBe(23)
    expect(body.data[0]).not.toHaveProperty('config')
  })

  test('project_id is required, once, in either form', async () => {
    expectRefusal(await service.call('GET', '/v1/pages'), 'missing_required_field', 'project_id: ')
    expectRefusal(await list(`&project_id=${many}`), 'invalid_request', 'project_id: ')
    expect((await service.call('GET', `/v1/pages?project_id=proj_${many}`)).body.total).toBe(23)
    expectRefusal(await service.call('GET', '/v1/pages?project_id=page_aaaaaaaaaaaaaaaa'), 'not_found')
  })
})

describe('publish and unpublish', () => {
  const publish = (body: object) => service.call('POST', '/v1/pages/publish', body)
  const unpublish = (body: object) => service.call('POST', '/v1/pages/unpublish', body)

  test.each(['pageId', 'page_id'])('name the page as %s, in either form of its id', async (field) => {
    const { id } = await created()
    for (const ref of [id, `page_${id}`]) {
      expect((await publish({ [field]: ref })).status).toBe(200)
      expect((await unpublish({ [field]: ref })).status).toBe(200)
    }
  })

  test('publish puts the page at /{subroute}/{slug} and says when', async () => {
    const { id } = await created({ type: 'post', slug: 'live', subroute: 'news', markdown_content: 'Hello.' })
    const { status, body } = await publish({ pageId: id })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: { page_id: id, status: 'published', published_at: expect.stringMatching(TIME) },
      },
    })
    expect((await visit('/news/live/')).body).toContain('Hello.')
    expect((await get(id)).is_published).toBe(true)
    expect((await getCurrent(id)).published_at).toBe(body.data.published_at)
  })

  test('an update never publishes; publishing again does', async () => {
    const { id } = await created({ type: 'post', slug: 'twice', markdown_content: 'First.' })
    await publish({ pageId: id })
    expect((await update(id, { markdown_content: 'Second.' })).body.data.is_published).toBe(true)
    expect((await visit('/twice/')).body).toContain('First.')
    await publish({ pageId: id })
    expect((await visit('/twice/')).body).toContain('Second.')
  })

  test('unpublish takes the page off and keeps its content', async () => {
    const before = await created({ type: 'post', slug: 'gone', markdown_content: 'Kept.' })
    await publish({ pageId: before.id })
    const { status, body } = await unpublish({ pageId: before.id })
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, data: { page_id: before.id, status: 'unpublished' } },
    })
    expect((await visit('/gone/')).status).toBe(404)
    expect(await get(before.id)).toEqual(before)
  })

  test('unpublishing a draft or an archived page is not_published', async () => {
    const { id } = await created()
    expect(await unpublish({ pageId: id })).toMatchObject({
      status: 409,
      body: { statusCode: 409, name: 'not_published' },
    })
    await service.call('PUT', `/pages/${id}`, { status: 'archived' })
    expect((await unpublish({ pageId: id })).body.name).toBe('not_published')
    expect((await get(id)).is_published).toBe(false)
  })

  test('two live pages on one path are a conflict', async () => {
    const first = await created({ slug: 'index', subroute: 'shop' })
    const second = await created({ slug: 'shop' })
    await publish({ pageId: first.id })
    expectRefusal(await publish({ pageId: second.id }), 'conflict')
  })

  test.each([
    [{}, 'missing_required_field', 'pageId: required.'],
    [{ pageId: null, id: 'x' }, 'missing_required_field', 'pageId: required.'],
    [{ pageId: 5 }, 'validation_error', 'pageId: '],
    [{ pageId: 'aaaaaaaaaaaaaaaa', page_id: 'bbbbbbbbbbbbbbbb' }, 'validation_error', 'page_id: '],
    [{ pageId: 'aaaaaaaaaaaaaaaa', page_id: 'page_aaaaaaaaaaaaaaaa' }, 'not_found', 'page'],
    [{ pageId: 'proj_aaaaaaaaaaaaaaaa' }, 'not_found', 'page'],
    [{ pageId: 'nonsense' }, 'not_found', 'page'],
  ] as const)('refuse the body %j as %s', async (body, name, mention) => {
    expectRefusal(await publish(body), name, mention)
    expectRefusal(await unpublish(body), name, mention)
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runs, some } from '../support/long-form.ts'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
})

const create = (fields: object = {}) => service.call('POST', '/pages', pageBody(project, fields))
const update = (id: string, body: object) => service.call('PUT', `/pages/${id}`, body)
const get = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data
const route = (site_routes: object) =>
  service.call('PUT', `/v1/projects/${project}/settings`, { site_routes })

const EIGHT = 'a/b/c/d/e/f/g/h'

describe('a slug on create', () => {
  test.each(
    some([
      ['a', 'a'],
      ['7', '7'],
      ['a-b-c', 'a-b-c'],
      ['Hello-World', 'hello-world'],
      ['-edge-', '-edge-'],
      ['--x--', '--x--'],
      ['x'.repeat(100), 'x'.repeat(100)],
      ['404', '404'],
      ['constructor', 'constructor'],
    ]),
  )('%j is stored as %j', async (slug, stored) => {
    expect((await create({ slug })).body.data.slug).toBe(stored)
  })

  test.each(
    some([
      ...[
        '',
        '-',
        '---',
        'x'.repeat(101),
        'a b',
        ' a',
        'a ',
        'a_b',
        'a.b',
        'a/b',
        '/a',
        'a?',
        'a#b',
        'a%20b',
      ],
      ...[
        '..',
        '.',
        'index.html',
        'ünïcode',
        '日本',
        '😀',
        '\u212aelvin',
        'a\u0000',
        'a\n',
        '*',
        'a*',
        '_index',
      ],
    ]),
  )('is refused when it is %j', async (slug) => {
    expectRefusal(await create({ slug }), 'validation_error', 'slug: ')
  })
})

describe('a slug on update', () => {
  test.each(['abc', '123', 'a-b', 'x'.repeat(100), '-a-'])('may be the text %j', async (slug) => {
    const { id } = (await create()).body.data
    expect((await update(id, { slug })).body.data.slug).toBe(slug)
  })

  test.each(['', 'ab', 'x'.repeat(101), 'Upper', 'a b c', '---', 'a_bc', 'a/bc', 'ünïcode', null, 7])(
    'may not be %j',
    async (slug) => {
      const { id } = (await create()).body.data
      expectRefusal(await update(id, { slug }), 'validation_error', 'slug: ')
    },
  )

  test('may be the stored one, however short', async () => {
    const { id } = (await create({ slug: 'X' })).body.data
    expect((await update(id, { slug: 'x', title: 'Sent back' })).body.data).toMatchObject({
      slug: 'x',
      title: 'Sent back',
    })
    expectRefusal(await update(id, { slug: 'y' }), 'validation_error', 'slug: ')
  })
})

describe('a subroute, on create and on update', () => {
  test.each(
    some([
      ['', ''],
      ['/', ''],
      ['///', ''],
      ['docs', 'docs'],
      ['/docs/', 'docs'],
      ['Docs/API-v2', 'docs/api-v2'],
      ['1', '1'],
      [EIGHT, EIGHT],
      [`/${EIGHT}/`, EIGHT],
      ['x'.repeat(100), 'x'.repeat(100)],
      [Array(8).fill('x'.repeat(100)).join('/'), Array(8).fill('x'.repeat(100)).join('/')],
    ]),
  )('%j is stored as %j', async (subroute, stored) => {
    expect((await create({ subroute })).body.data.subroute).toBe(stored)
    const { id } = (await create({ slug: 'other', subroute: 'elsewhere' })).body.data
    expect((await update(id, { subroute })).body.data.subroute).toBe(stored)
  })

  test.each(
    some([
      ...[
        'a//b',
        `${EIGHT}/i`,
        'x'.repeat(101),
        'a b',
        'a_b',
        '-',
        'a/-/b',
        '..',
        '../a',
        'a/..',
        'a/./b',
        'a\\b',
      ],
      ...['_assets', 'docs/_nav', 'a?b', 'a%2fb', 'ünï', 'a\u0000b', 'http://x', 7, null, []],
    ]),
  )('is refused when it is %j', async (subroute) => {
    const created = await create({ subroute })
    expect(created.status).toBe(422)
    expect(created.body.message).toContain('subroute: ')
    const { id } = (await create()).body.data
    expectRefusal(await update(id, { subroute }), 'validation_error', 'subroute: ')
  })
})

describe('an address', () => {
  test('is taken by one page, whatever its status and however it is spelled', async () => {
    const first = (await create({ slug: 'one', subroute: 'docs' })).body.data.id
    const other = (await create({ slug: 'two', subroute: 'docs' })).body.data.id
    for (const status of ['draft', 'published', 'archived']) {
      await update(first, { status })
      expectRefusal(await create({ slug: 'ONE', subroute: '/Docs/' }), 'conflict', 'slug')
      expectRefusal(await update(other, { slug: 'one', title: 'Never' }), 'conflict', 'slug')
    }
    expect(await get(other)).toMatchObject({ slug: 'two', page_name: 'A page' })
    const elsewhere = (await create({ slug: 'one', subroute: 'blog' })).body.data.id
    expectRefusal(await update(elsewhere, { subroute: 'docs' }), 'conflict', 'slug')
  })

  test('is free in another subroute, in another project, and after its page has moved or gone', async () => {
    const { id } = (await create({ slug: 'one' })).body.data
    expect((await create({ slug: 'one', subroute: 'one' })).status).toBe(201)
    const other = await service.newProject()
    expect((await service.call('POST', '/pages', pageBody(other, { slug: 'one' }))).status).toBe(201)
    await update(id, { slug: 'moved' })
    const again = await create({ slug: 'one' })
    expect(again.status).toBe(201)
    await service.call('DELETE', `/pages/${again.body.data.id}`)
    expect((await create({ slug: 'one' })).status).toBe(201)
  })

  test.each(
    some([
      ['', 'about', '/about'],
      ['docs', 'install', '/docs/install'],
      ['docs/api', 'pages', '/docs/api/pages'],
      ['', 'index', '/'],
      ['docs', 'index', '/docs'],
      ['docs/api', 'index', '/docs/api'],
      ['index', 'about', '/index/about'],
      ['index', 'index', '/index'],
    ]),
  )(
    'is, for subroute %j and slug %j, %j: absolute on create, a path elsewhere',
    async (subroute, slug, path) => {
      const { data } = (await create({ subroute, slug })).body
      expect(data.url).toBe(`${service.url}/public/${project}${path}`)
      expect((await get(data.id)).url).toBe(path)
      expect((await update(data.id, {})).body.data.url).toBe(path)
      const list = await service.call('GET', `/pages?project_id=${project}`)
      expect(list.body.data[0].url).toBe(path)
    },
  )

  test.each(
    some([
      [{ docs: '/handbook' }, 'docs', 'install', '/handbook/install'],
      [{ docs: 'Hand/Book/' }, 'docs', 'install', '/hand/book/install'],
      [{ docs: '/' }, 'docs', 'install', '/install'],
      [{ docs: '/' }, 'docs', 'index', '/'],
      [{ docs: '/handbook' }, 'docs', 'index', '/handbook'],
      [{ docs: '/handbook' }, 'docs/api', 'pages', '/docs/api/pages'],
      [{ 'docs/api': '/reference' }, 'docs/api', 'pages', '/reference/pages'],
      [{ '': '/home' }, '', 'about', '/home/about'],
      [{ blog: '/news' }, 'docs', 'install', '/docs/install'],
    ]),
  )('under the routes %j leads through them', async (routes, subroute, slug, path) => {
    await route(routes)
    const { data } = (await create({ subroute, slug })).body
    expect(data.url).toBe(`${service.url}/public/${project}${path}`)
    expect((await get(data.id)).url).toBe(path)
  })

  test('follows the slug and routes of a live page at once, its public one at the next publish', async () => {
    const { id } = (await create({ slug: 'before', subroute: 'docs' })).body.data
    const visit = async (path: string) => (await service.call('GET', `/public/${project}${path}/`)).status
    expect((await service.call('POST', `/pages/${id}/publish`)).body.data.url).toBe(
      `${service.url}/public/${project}/docs/before`,
    )
    await update(id, { slug: 'after' })
    await route({ docs: '/manual' })
    expect((await get(id)).url).toBe('/manual/after')
    expect([await visit('/docs/before'), await visit('/manual/after')]).toEqual([200, 404])
    await service.call('POST', `/pages/${id}/publish`)
    expect(await visit('/manual/after')).toBe(200)
  })
})

test('whatever text comes as slug and subroute, only plain paths come out', async () => {
  const segment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.stringMatching(/^[a-zA-Z0-9.\-_/]{0,9}$/),
  )
  await fc.assert(
    fc.asyncProperty(segment, segment, async (slug, subroute) => {
      const answer = await create({ slug, subroute })
      if (answer.status === 201) expect((await get(answer.body.data.id)).url).toMatch(/^(\/[a-z0-9-]+)*\/?$/)
      else if (answer.status === 422) expect(answer.body.message).toMatch(/^(slug|subroute): /)
      else expectRefusal(answer, 'conflict')
    }),
    { numRuns: runs(100) },
  )
})

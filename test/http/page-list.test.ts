import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../support/long-form.ts'
import { expectRefusal } from '../support/refusal.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
/** When each page was made, by slug. */
const made: Record<string, string> = {}

interface Item {
  readonly id: string
  readonly slug: string
  readonly page_name: string
}

beforeAll(async () => {
  let looks = 0
  // A clock that moves a second with each look at it.
  service = await startService({ now: () => new Date(Date.UTC(2026, 2, 1, 0, 0, ++looks)).toISOString() })
  project = await service.newProject()
  for (const [slug, title, subroute, type] of [
    ['welcome', 'Zulu', '', 'page'],
    ['install', 'Bravo', 'docs', 'docs'],
    ['install-linux', 'Alpha', 'docs', 'docs'],
    ['api', 'Alpha', 'docs/api', 'docs'],
    ['hello', 'Yankee', 'blog', 'article'],
    ['pump', 'Mike', '', 'item'],
  ] as const) {
    const body = { project_id: project, title, slug, subroute, type }
    const { data } = (await service.call('POST', '/pages', body)).body
    made[slug] = data.created_at
    if (slug === 'hello') await service.call('POST', `/pages/${data.id}/publish`)
    if (slug === 'pump') await service.call('PUT', `/pages/${data.id}`, { status: 'archived' })
    if (slug === 'install') await service.call('PUT', `/pages/${data.id}`, { description: 'Edited' })
  }
  const { data } = (await list('slug=welcome')).body
  await service.call('PUT', `/pages/${data[0].id}`, {
    meta: { title: 'M', description: 'D' },
    og_image_url: '/og.png',
  })
})
afterAll(() => service.close())

const list = (query = '', id = project) => service.call('GET', `/pages?project_id=${id}&${query}`)
const slugs = async (query: string) => (await list(query)).body.data.map(({ slug }: Item) => slug).join(' ')

describe('a list of pages', () => {
  test('has items without content, and repeats its filters', async () => {
    const { status, body } = await list('type=page&status=draft&limit=1')
    expect(status).toBe(200)
    const { data } = (await service.call('GET', `/pages/${body.data[0].id}`)).body
    expect(body).toMatchObject({
      data: [
        {
          id: expect.stringMatching(/^page_/),
          page_name: 'Zulu',
          slug: 'welcome',
          subroute: '',
          type: 'page',
          status: 'draft',
          url: '/welcome',
          meta: { title: 'M', description: 'D', image: '/og.png' },
          sections_count: 0,
          word_count: 0,
          created_at: data.created_at,
          updated_at: data.updated_at,
        },
      ],
      meta: {
        total: 1,
        limit: 1,
        offset: 0,
        has_more: false,
        next_cursor: null,
        filters: { project_id: project, type: 'page', status: 'draft' },
      },
    })
    for (const field of ['project_id', 'config', 'markdown_content', 'description'])
      expect(body.data[0]).not.toHaveProperty(field)
  })

  test('shows the content of its pages on demand', async () => {
    for (const yes of ['true', '1']) {
      const { data } = (await list(`slug=install&include_content=${yes}`)).body
      expect(data[0]).toMatchObject({ config: {}, markdown_content: '' })
      expect((await list(`slug=welcome&include_content=${yes}`)).body.data[0].markdown_content).toBeNull()
    }
    for (const no of ['', 'include_content=false', 'include_content=0'])
      for (const field of ['config', 'markdown_content'])
        expect((await list(`slug=install&${no}`)).body.data[0]).not.toHaveProperty(field)
  })

  test.each([
    ['', 'welcome pump hello api install-linux install'],
    ['sort=created_at', 'pump hello api install-linux install welcome'],
    ['sort=created_at&order=asc', 'welcome install install-linux api hello pump'],
    ['sort=updated_at&order=asc', 'install install-linux api hello pump welcome'],
    ['sort=slug&order=asc', 'api hello install install-linux pump welcome'],
    ['sort=slug&order=desc', 'welcome pump install-linux install hello api'],
    ['type=docs&sort=slug&order=asc', 'api install install-linux'],
    ['type=doc&sort=slug&order=asc', 'api install install-linux'],
    ['type=post', 'hello'],
    ['type=item', 'pump'],
    ['type=all&limit=2', 'welcome pump'],
    ['status=draft&sort=slug&order=asc', 'api install install-linux welcome'],
    ['status=published', 'hello'],
    ['status=archived', 'pump'],
    ['status=all&type=article', 'hello'],
    ['subroute=docs&sort=slug&order=asc', 'install install-linux'],
    ['subroute=/Docs/&sort=slug&order=asc', 'install install-linux'],
    ['subroute=docs/api', 'api'],
    ['subroute=doc', ''],
    ['subroute=&sort=slug&order=asc', 'pump welcome'],
    ['slug=install', 'install'],
    ['slug=INSTALL', 'install'],
    ['slug=inst', ''],
    ['slug=inst*&sort=slug&order=asc', 'install install-linux'],
    ['slug=*l*&sort=slug&order=asc', 'hello install install-linux welcome'],
    ['slug=*linux', 'install-linux'],
    ['slug=i*l*x', 'install-linux'],
    ['slug=*&sort=slug&order=asc', 'api hello install install-linux pump welcome'],
    ['slug=**&limit=1&sort=slug&order=asc', 'api'],
    ['slug=a_i', ''],
    ['slug=a%25', ''],
    ['slug=%25', ''],
    ['slug=in%5C*', ''],
    ['slug=', ''],
    ['sort=slug&order=asc&limit=2&offset=3', 'install-linux pump'],
    ['created_after=2026-03-01', 'welcome pump hello api install-linux install'],
    ['created_before=2026-03-01', ''],
    ['updated_after=2026-03-02', ''],
    ['unknown=1&slug=api', 'api'],
  ])('filtered by %j shows the pages %j', async (query, shown) => {
    expect(await slugs(query)).toBe(shown)
  })

  test('filters by date exclusively', async () => {
    const by = (query: string) => slugs(`sort=created_at&order=asc&${query}`)
    expect(await by(`created_after=${made['api']}`)).toBe('hello pump')
    expect(await by(`created_before=${made['install']}`)).toBe('welcome')
    expect(await by(`created_after=${made['welcome']}&created_before=${made['install-linux']}`)).toBe(
      'install',
    )
    const { updated_at: edited } = (await list('slug=install')).body.data[0]
    expect(edited > (made['install'] ?? '')).toBe(true)
    expect(await by(`updated_after=${made['install']}&updated_before=${made['install-linux']}`)).toBe(
      'install',
    )
    expect(await by(`updated_after=${edited}`)).toBe('welcome install-linux api hello pump')
    expect(await by(`updated_before=${edited}`)).toBe('')
  })

  test('says the total that matches, past its end as well', async () => {
    expect((await list('type=docs&limit=2')).body.meta).toMatchObject({
      total: 3,
      has_more: true,
      next_cursor: expect.any(String),
    })
    expect((await list('type=docs&limit=2&offset=1')).body.meta).toMatchObject({
      total: 3,
      has_more: false,
      next_cursor: null,
    })
    expect((await list('type=docs&offset=3')).body).toMatchObject({
      data: [],
      meta: {
        total: 3,
        limit: 25,
        offset: 3,
        has_more: false,
        next_cursor: null,
        filters: { type: 'docs', status: 'all' },
      },
    })
    expect((await list('slug=nothing')).body).toMatchObject({
      data: [],
      meta: { total: 0, has_more: false, next_cursor: null },
    })
  })

  test.each([
    ...[
      'limit=0',
      'limit=101',
      'limit=all',
      'limit=',
      'limit=2&limit=2',
      'offset=-1',
      'offset=1.5',
      'offset=',
    ],
    ...[
      'type=poem',
      'type=',
      'type=docs&type=docs',
      'status=live',
      'status=',
      'sort=title',
      'sort=name',
      'sort=',
    ],
    ...['order=up', 'order=', 'include_content=yes', 'include_content=', 'slug=a&slug=b', 'subroute=a//b'],
    ...['subroute=a%20b', 'created_after=now', 'created_before=2026-02-30', 'updated_after=2026-1-1'],
    ...['updated_before=Sun,%201%20Mar%202026', 'updated_before=', 'updated_after=2026-04-31T10:00:00Z'],
  ])('refuses the query parameter %s', async (query) => {
    expectRefusal(await list(query), 'invalid_request', `${query.split('=')[0]}: `)
  })

  test('refuses project_id given twice', async () => {
    expectRefusal(await list(`project_id=${project}`), 'invalid_request', 'project_id: ')
  })

  test('is empty for a project without pages', async () => {
    const id = await service.newProject('Empty')
    expect((await list('', id)).body).toEqual({
      data: [],
      meta: {
        total: 0,
        limit: 25,
        offset: 0,
        has_more: false,
        next_cursor: null,
        filters: { project_id: id, type: 'all', status: 'all' },
      },
    })
  })
})

describe('its pages, taken together,', () => {
  const ORDERS = ['created_at', 'updated_at', 'page_name', 'slug'].flatMap((sort) =>
    ['asc', 'desc'].map((order) => `sort=${sort}&order=${order}`),
  )

  test('are the whole list, none twice and none left out, whatever sorts alike', async () => {
    // All with one title and one time, so that nothing but the id tells them apart.
    const still = await startService({ now: () => '2026-03-01T00:00:00.000Z' })
    const id = await still.newProject()
    await Promise.all(
      Array.from({ length: 17 }, (_, i) =>
        still.call('POST', '/pages', {
          project_id: id,
          title: 'Same',
          slug: `p${i}`,
          subroute: '',
          type: 'page',
        }),
      ),
    )
    for (const order of ORDERS) {
      const of = async (query: string) =>
        (await still.call('GET', `/pages?project_id=${id}&${order}&${query}`)).body
      const { data: whole } = await of('limit=100')
      const parts = []
      for (let offset = 0, more = true; more; offset += 5) {
        const { data, meta } = await of(`limit=5&offset=${offset}`)
        parts.push(...data)
        more = meta.has_more
      }
      expect(parts).toEqual(whole)
      expect(new Set(parts.map((page) => page.id)).size).toBe(17)
    }
    await still.close()
  })

  test('are, by any pattern, those whose slug fits it', async () => {
    const every: string[] = (await list('limit=100')).body.data.map(({ slug }: Item) => slug)
    const pattern = fc.array(
      fc.constantFrom('*', '*', 'i', 'n', 'l', 'al', 'e', '-', '_', '%', '\\', '[a-z]', '?'),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    await fc.assert(
      fc.asyncProperty(pattern, async (pieces) => {
        const text = pieces.join('')
        const literal = (piece: string) => piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
        const fits = new RegExp(`^${text.split('*').map(literal).join('.*')}$`)
        const { data } = (await list(`limit=100&slug=${encodeURIComponent(text)}`)).body
        const found = data.map(({ slug }: Item) => slug).sort()
        expect(found).toEqual(every.filter((slug) => fits.test(slug)).sort())
      }),
      { numRuns: runs(80) },
    )
  })

  test('are found at once by a pattern made to be slow', async () => {
    const slug = `${'a'.repeat(99)}b`
    await service.call('POST', '/pages', {
      project_id: project,
      title: 'Long',
      slug,
      subroute: '',
      type: 'page',
    })
    expect(await slugs(`slug=${'*a'.repeat(90)}c`)).toBe('')
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readId } from '../../src/domain/ids.ts'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

const get = (include: string, key = service.key) =>
  service.call('GET', `/projects/${project}?include=${include}`, undefined, { key })

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())

async function create(fields: object): Promise<string> {
  return (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
}

describe('include on GET /projects/:id', () => {
  test('stats of a project without pages are all zero', async () => {
    expect((await get('stats')).body.data.stats).toEqual({
      pages: { total: 0, draft: 0, published: 0, archived: 0 },
      by_type: { page: 0, article: 0, docs: 0, item: 0 },
      word_count: 0,
      last_published_at: null,
    })
    expect((await get('pages')).body.data.pages).toEqual([])
  })

  test('stats count pages by status and by type, and sum their words', async () => {
    const first = await create({ slug: 'one', markdown_content: 'One two three.' })
    const second = await create({ slug: 'two', type: 'docs', markdown_content: 'Four five.' })
    const third = await create({ slug: 'three', type: 'item' })
    await create({ slug: 'four', type: 'page' })
    await service.call('POST', `/pages/${first}/publish`)
    const later = await service.call('POST', `/pages/${second}/publish`)
    await service.call('POST', `/pages/${second}/unpublish`)
    await service.call('PUT', `/pages/${third}`, { status: 'archived' })
    expect((await get('stats')).body.data).toMatchObject({
      page_count: 4,
      stats: {
        pages: { total: 4, draft: 2, published: 1, archived: 1 },
        by_type: { page: 1, article: 1, docs: 1, item: 1 },
        word_count: 5,
        last_published_at: later.body.data.published_at,
      },
    })
  })

  test('pages are the items of the list, the newest first', async () => {
    const { body } = await service.call('GET', `/pages?project_id=${project}&sort=created_at&limit=100`)
    const { data } = (await get('pages')).body
    expect(data.pages).toEqual(body.data)
    expect(data.pages.map(({ slug }: { slug: string }) => slug)).toEqual(['four', 'three', 'two', 'one'])
    expect(data).not.toHaveProperty('stats')
  })

  test('settings change nothing, everything may be asked for at once, in any order and twice', async () => {
    const plain = (await service.call('GET', `/projects/${project}`)).body.data
    expect((await get('settings')).body.data).toEqual(plain)
    const { pages, stats, ...rest } = (await get('stats,settings,pages,stats')).body.data
    expect(rest).toEqual(plain)
    expect(pages).toHaveLength(4)
    expect(stats.pages.total).toBe(4)
  })

  test('what was included may be sent back', async () => {
    const { data } = (await get('pages,stats')).body
    const { status, body } = await service.call('PUT', `/projects/${project}`, { ...data, name: 'Renamed' })
    expect(status).toBe(200)
    expect(body.data.name).toBe('Renamed')
  })

  test('at most 100 pages are included', async () => {
    project = await service.newProject('Many')
    for (let n = 0; n < 101; n++) await create({ slug: `page-${n}` })
    const { pages, stats } = (await get('pages,stats')).body.data
    expect(pages.map(({ slug }: { slug: string }) => slug)).toEqual(
      Array.from({ length: 100 }, (_, n) => `page-${100 - n}`),
    )
    expect(stats.pages.total).toBe(101)
  })

  test.each(['', 'users', 'pages,', 'Pages', 'pages,users', 'pages%20', 'pages&include=stats'])(
    'is refused in the form include=%s',
    async (include) => {
      expectRefusal(await get(include), 'invalid_request', 'include')
    },
  )

  test('the key decides as it does without', async () => {
    const other = await service.newProject('Other')
    const scoped = await service.newKey({ project: readId('proj', other) ?? expect.unreachable() })
    expectRefusal(await get('pages,stats', scoped), 'project_scope_violation')
    const stranger = await service.newKey({ user: await service.newUser() })
    expectRefusal(await get('pages,stats', stranger), 'not_found')
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { runs } from '../support/long-form.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
/** How far the service's clock is ahead. */
let aheadMs = 0

beforeAll(async () => {
  service = await startService({
    env: { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' },
    now: () => new Date(Date.now() + aheadMs).toISOString(),
  })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
})

interface Item {
  readonly id: string
  readonly slug: string
  readonly updated_at: string
}

const MINUTE_MS = 60_000
/** Writes before it count as earlier than the minute before a walk. */
const later = (ms = 2 * MINUTE_MS) => {
  aheadMs += ms
}
const create = async (slug: string, fields: object = {}): Promise<string> => {
  const { status, body } = await service.call('POST', '/pages', pageBody(project, { slug, ...fields }))
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}
const list = (query: string) => service.call('GET', `/pages?project_id=${project}&${query}`)
const next = (cursor: string, rest = '', path = '/pages') =>
  service.call('GET', `${path}?cursor=${cursor}${rest}`)

/** Walks a list to its end. @param between is called before each request but the first. */
async function walk(
  first: Answer,
  path: string,
  limit: number,
  between: () => Promise<void> = async () => {},
) {
  const parts: Item[][] = [first.body.data]
  let { next_cursor: cursor } = first.body.meta
  while (cursor !== null) {
    expect(parts.length).toBeLessThan(200)
    expect(cursor.length).toBeLessThanOrEqual(1_024)
    await between()
    const { status, body, headers } = await next(cursor, `&limit=${limit}`, path)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.meta).toMatchObject({ total: null, offset: null, limit })
    cursor = body.meta.next_cursor
    expect(body.meta.has_more).toBe(cursor !== null)
    const link = headers.get('link')
    expect(link === null).toBe(cursor === null)
    if (cursor !== null)
      expect(link).toBe(`<${path}?${new URLSearchParams({ cursor, limit: String(limit) })}>; rel="next"`)
    parts.push(body.data)
  }
  return parts.flat()
}

const write = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), page: fc.nat(30), title: fc.constantFrom('A', 'M', 'Z') }),
  fc.record({
    kind: fc.constant('move' as const),
    page: fc.nat(30),
    slug: fc.constantFrom('aaa', 'mmm', 'zzz'),
  }),
  fc.record({ kind: fc.constant('create' as const) }),
  fc.record({ kind: fc.constant('delete' as const), page: fc.nat(30) }),
)

test('a walk gives each page that is there all the time, once if nobody wrote it, under any writes', async () => {
  let made = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('created_at', 'updated_at', 'page_name', 'slug'),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.array(write, { maxLength: 2 }), { maxLength: 6 }),
      fc.boolean(),
      async (sort, order, limit, steps, isNarrow) => {
        project = await service.newProject()
        const ids: string[] = []
        for (let i = 0; i < 11; i++)
          ids.push(await create(`page-${++made}`, { title: `T${i % 3}`, tags: ['all'] }))
        later()
        const stayed = new Set(ids)
        const written = new Set<string>()
        const apply = async (one: (typeof steps)[number][number]) => {
          later(5)
          if (one.kind === 'create') {
            ids.push(await create(`page-${++made}`, { tags: ['all'] }))
            return
          }
          const id = ids[one.page % ids.length] ?? ''
          written.add(id)
          if (one.kind === 'delete') {
            stayed.delete(id)
            await service.call('DELETE', `/pages/${id}`)
          } else {
            const slug = one.kind === 'move' ? { slug: `${one.slug}-${++made}` } : { title: one.title }
            await service.call('PUT', `/pages/${id}`, slug)
          }
        }
        const pending = [...steps]
        const between = async () => {
          for (const one of pending.shift() ?? []) await apply(one)
        }
        const narrow = isNarrow ? '&tag=all' : ''
        const first = await list(`sort=${sort}&order=${order}&limit=${limit}${narrow}`)
        const found = await walk(first, '/pages', limit, between)
        for (const id of stayed) {
          const times = found.filter((item) => item.id === id).length
          if (written.has(id)) expect(times).toBeGreaterThanOrEqual(1)
          else expect(times).toBe(1)
        }
        // What a client knows of a page at the end is what is stored.
        for (const id of stayed) {
          const { updated_at } = (await service.call('GET', `/pages/${id}`)).body.data
          if (pending.length === 0)
            expect(found.findLast((item) => item.id === id)?.updated_at).toBe(updated_at)
        }
      },
    ),
    { numRuns: runs(10) },
  )
}, 120_000)

test('lists of content walk as lists without it', async () => {
  for (let i = 0; i < 5; i++) await create(`page-${i}`, { markdown_content: `Text ${i}` })
  later()
  const query = 'sort=slug&order=asc&limit=2&include_content=true'
  const found = await walk(await list(query), '/pages', 2)
  expect(found.map(({ slug }) => slug)).toEqual(['page-0', 'page-1', 'page-2', 'page-3', 'page-4'])
  expect(found[4]).toHaveProperty('markdown_content', 'Text 4')
})

describe('a cursor', () => {
  beforeEach(async () => {
    for (const slug of ['a', 'b', 'c', 'd', 'e']) await create(slug, { type: 'docs' })
    later()
  })
  const cursorOf = async (query: string) => (await list(query)).body.meta.next_cursor as string

  test('fixes sort, order and filters, which may be left out or repeated', async () => {
    const cursor = await cursorOf('sort=slug&order=asc&type=docs&limit=2')
    const alone = await next(cursor, '&limit=2')
    expect(alone.body.data.map(({ slug }: Item) => slug)).toEqual(['c', 'd'])
    expect(alone.body.meta.filters).toMatchObject({ type: 'docs' })
    const repeated = await next(cursor, `&project_id=${project}&sort=slug&order=asc&type=docs&status=all`)
    expect(repeated.body.data.map(({ slug }: Item) => slug)).toEqual(['c', 'd', 'e'])
  })

  test('beside other values, an offset or a second cursor is refused', async () => {
    const cursor = await cursorOf('sort=slug&limit=2')
    for (const rest of [
      '&sort=created_at',
      '&type=docs',
      '&offset=0',
      `&cursor=${cursor}`,
      '&limit=0',
      '&limit=101',
    ])
      expect(await next(cursor, rest), rest).toMatchObject({ status: 422, body: { name: 'invalid_request' } })
  })

  test('is refused when it is forged, foreign or a week old', async () => {
    const cursor = await cursorOf('sort=slug&limit=2')
    const refused = { status: 422, body: { name: 'invalid_request' } }
    expect(await next(`${cursor.slice(0, -4)}AAAA`)).toMatchObject(refused)
    expect(await next('')).toMatchObject(refused)
    expect(await next(cursor, '', '/projects')).toMatchObject(refused)
    const other = await service.newKey({ user: await service.newUser() })
    expect(await service.call('GET', `/pages?cursor=${cursor}`, undefined, { key: other })).toMatchObject(
      refused,
    )
    const same = await service.newKey()
    expect(await service.call('GET', `/pages?cursor=${cursor}`, undefined, { key: same })).toMatchObject({
      status: 200,
    })
    later(7 * 24 * 60 * MINUTE_MS)
    expect(await next(cursor)).toMatchObject(refused)
  })

  test('has at most 1,024 characters: long filters are then repeated', async () => {
    const rare = (from: number) =>
      Array.from({ length: 200 }, (_, i) => String.fromCodePoint(from + ((i * 7_919) % 20_000))).join('')
    const subroute = Array.from({ length: 8 }, (_, i) => `${i}`.padEnd(100, 'abcdefghij')).join('/')
    for (const slug of ['x', 'y']) await create(slug, { title: rare(0x4e00), subroute })
    later()
    const filters = `project_id=${project}&sort=page_name&subroute=${subroute}&created_after=2020-01-01&updated_after=2020-01-02`
    const { body } = await service.call('GET', `/pages?${filters}&limit=1`)
    const cursor = body.meta.next_cursor
    expect(cursor.length).toBeLessThanOrEqual(1_024)
    const rest = await next(cursor, `&${filters}`)
    expect(rest.body.data.map(({ slug }: Item) => slug)).toHaveLength(1)
  })

  test('does not change the entity tag of an unchanged list', async () => {
    const { headers } = await list('sort=slug&limit=2')
    const again = await service.call('GET', `/pages?project_id=${project}&sort=slug&limit=2`, undefined, {
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('is null where one answer has the whole list, and an offset works as before', async () => {
    expect((await list('limit=5')).body.meta).toMatchObject({
      total: 5,
      offset: 0,
      has_more: false,
      next_cursor: null,
    })
    const { body } = await list('sort=slug&order=asc&offset=1&limit=2')
    expect(body.meta).toMatchObject({ total: 5, offset: 1, has_more: true })
    const rest = await next(body.meta.next_cursor)
    expect(rest.body.data.map(({ slug }: Item) => slug)).toEqual(['d', 'e'])
  })
})

test('every other list gives each item exactly once, while others are added', async () => {
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  const manager = await service.newKey({ permissions: PERMISSIONS })
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, body, { key: manager })
  const page = await create('released')
  for (let i = 0; i < 5; i++) {
    await call('PUT', `/pages/${page}`, { title: `Title ${i}` })
    expect((await call('POST', `/pages/${page}/publish`)).status).toBe(200)
    await call('POST', `/projects/${project}/redirects`, { from: `/old/${i}`, to: 'https://example.org/' })
    await call('POST', `/projects/${project}/assets?name=${i}.pdf`, Buffer.from(`%PDF-1.7 ${i}`))
    await call('POST', '/keys', { name: `key ${i}` })
    const at = new Date(Date.now() + aheadMs + 3_600_000 + i).toISOString()
    await call('POST', `/pages/${await create(`due-${i}`)}/publish`, { publish_at: at })
    const push = await call('POST', `/projects/${project}/pushes`, { folder: 'k3v9q2m7', name: 'Site' })
    await call('PUT', `/pushes/${push.body.data.id}`, { state: 'done', counts: {} })
    const source = { folder: 'k3v9q2m7', path: `${i}.md` }
    await create(`pushed-${i}`, { source })
  }
  const webhook = `/projects/${project}/webhooks/${(await call('POST', `/projects/${project}/webhooks`, { url: receiver.url, events: ['page.deleted'] })).body.data.id}`
  for (let i = 0; i < 3; i++) expect((await call('POST', `${webhook}/test`)).status).toBe(202)
  await receiver.first(3)
  later()
  for (const path of [
    `/pages/${page}/releases`,
    `/projects/${project}/redirects`,
    `/projects/${project}/assets`,
    `/projects/${project}/schedule`,
    `/projects/${project}/jobs`,
    `/projects/${project}/pushes`,
    `/projects/${project}/sources/k3v9q2m7`,
    `/projects/${project}/audit`,
    '/users/me/audit',
    '/keys',
    '/projects',
    `${webhook}/deliveries`,
  ]) {
    const all = (await call('GET', `${path}?limit=100`)).body
    const parts: unknown[] = []
    let { body } = await call('GET', `${path}?limit=2`)
    parts.push(...body.data)
    while (body.meta.next_cursor !== null) {
      if (path.endsWith('/audit')) await call('PUT', `/pages/${page}`, { description: `D${parts.length}` })
      body = (await call('GET', `${path}?limit=2&cursor=${body.meta.next_cursor}`)).body
      parts.push(...body.data)
    }
    expect(all.data.length, path).toBeGreaterThan(2)
    expect(parts.slice(0, 100), path).toEqual(all.data)
    expect(new Set(parts.map((one) => JSON.stringify(one))).size, path).toBe(parts.length)
  }
}, 120_000)

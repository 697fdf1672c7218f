import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
/** By name, oldest first: Delta, Alpha, Charlie, Bravo, and Echo, which is archived. */
const projects: Record<string, { id: string; created_at: string; updated_at: string }> = {}

beforeAll(async () => {
  let looks = 0
  // A clock that moves a second with each look at it.
  service = await startService({ now: () => new Date(Date.UTC(2026, 2, 1, 0, 0, ++looks)).toISOString() })
  for (const name of ['Delta', 'Alpha', 'Charlie', 'Bravo', 'Echo'])
    projects[name] = (await service.call('POST', '/projects', { name })).body.data
  await update('Echo', { status: 'archived' })
  await update('Alpha', { domain: 'alpha.example.com' })
  await update('Delta', { settings: { theme: 'dark' } })
  await service.call('POST', '/pages', pageBody(idOf('Bravo')))
})
afterAll(() => service.close())

const idOf = (name: string) => projects[name]?.id ?? expect.unreachable()
const update = (name: string, body: object) => service.call('PUT', `/projects/${idOf(name)}`, body)
const list = (query = '') => service.call('GET', `/projects${query}`)
const names = async (query: string) =>
  (await list(query)).body.data.map(({ name }: { name: string }) => name).join(' ')

describe('a list of projects', () => {
  test('has summaries, and says how many there are', async () => {
    const { status, body } = await list('?limit=1&sort=name&order=asc')
    expect(status).toBe(200)
    const whole = (await service.call('GET', `/projects/${idOf('Alpha')}`)).body.data
    const { settings: _settings, hosting: _hosting, ...summary } = whole
    expect(body).toEqual({
      data: [summary],
      meta: { total: 5, limit: 1, offset: 0, has_more: true, next_cursor: expect.any(String) },
    })
    expect(Object.keys(summary)).toEqual([
      ...['id', 'name', 'slug', 'domain', 'status', 'hosting_mode', 'page_count', 'created_at', 'updated_at'],
    ])
  })

  test('counts the pages of each', async () => {
    const { data } = (await list()).body
    const counts = data.map(({ name, page_count }: { name: string; page_count: number }) => [
      name,
      page_count,
    ])
    expect(Object.fromEntries(counts)).toEqual({ Delta: 0, Alpha: 0, Charlie: 0, Bravo: 1, Echo: 0 })
  })

  test.each([
    ['', 'Echo Bravo Charlie Alpha Delta'],
    ['?order=asc', 'Delta Alpha Charlie Bravo Echo'],
    ['?sort=created_at&order=desc', 'Echo Bravo Charlie Alpha Delta'],
    ['?sort=updated_at', 'Delta Alpha Echo Bravo Charlie'],
    ['?sort=updated_at&order=asc', 'Charlie Bravo Echo Alpha Delta'],
    ['?sort=name&order=asc', 'Alpha Bravo Charlie Delta Echo'],
    ['?sort=name', 'Echo Delta Charlie Bravo Alpha'],
    ['?status=active', 'Bravo Charlie Alpha Delta'],
    ['?status=archived', 'Echo'],
    ['?status=all', 'Echo Bravo Charlie Alpha Delta'],
    ['?domain=alpha.example.com', 'Alpha'],
    ['?domain=ALPHA.example.com', 'Alpha'],
    ['?domain=example.com', ''],
    ['?limit=2&offset=1&sort=name&order=asc', 'Bravo Charlie'],
    ['?limit=100', 'Echo Bravo Charlie Alpha Delta'],
    ['?offset=5', ''],
    ['?unknown=parameter&limit=1', 'Echo'],
    ['?created_after=2026-03-01', 'Echo Bravo Charlie Alpha Delta'],
    ['?created_before=2026-03-01', ''],
    ['?created_after=2026-03-02', ''],
    ['?created_before=2026-03-01T00:00:00.000Z', ''],
    ['?created_after=2026-03-01T00:59:59%2B01:00', 'Echo Bravo Charlie Alpha Delta'],
  ])('with the query %j shows %j', async (query, shown) => {
    expect(await names(query)).toBe(shown)
  })

  test('filters by date exclusively', async () => {
    const at = projects['Charlie']?.created_at ?? expect.unreachable()
    expect(await names(`?order=asc&created_after=${at}`)).toBe('Bravo Echo')
    expect(await names(`?order=asc&created_before=${at}`)).toBe('Delta Alpha')
    expect(await names(`?created_after=${at}&created_before=${at}`)).toBe('')
  })

  test('says the total that matches, past its end as well', async () => {
    expect((await list('?status=active&limit=3')).body.meta).toEqual({
      total: 4,
      limit: 3,
      offset: 0,
      has_more: true,
      next_cursor: expect.any(String),
    })
    expect((await list('?status=active&limit=3&offset=1')).body.meta.has_more).toBe(false)
    const past = await list('?offset=999999999999')
    expect(past.body).toEqual({
      data: [],
      meta: { total: 5, limit: 25, offset: 999999999999, has_more: false, next_cursor: null },
    })
  })

  test.each([
    ...['limit=0', 'limit=101', 'limit=-1', 'limit=x', 'limit=', 'limit=1.5', 'limit=1e1', 'limit=%2B5'],
    ...['limit=5%20', 'limit=٣', 'limit=1&limit=2', 'offset=-1', 'offset=x', 'offset=1&offset=1'],
    ...['status=suspended', 'status=', 'status=Active', 'sort=id', 'sort=', 'order=up', 'order=ASC'],
    ...['created_after=yesterday', 'created_after=2026-02-30', 'created_after=2026-13-01', 'created_before='],
    ...[
      'created_after=2026-02-29T10:00:00Z',
      'created_after=1767225600',
      'created_after=2026-01-01T25:00:00Z',
    ],
    ...['created_after=2026', 'created_after=2026-01', 'created_after=01/02/2026', 'domain=a&domain=b'],
  ])('refuses the query parameter %s', async (query) => {
    expectRefusal(await list(`?${query}`), 'invalid_request', `${query.split('=')[0]}: `)
  })

  test('shows another user nothing of it', async () => {
    const key = await service.newKey({ user: await service.newUser() })
    const { body } = await service.call('GET', '/projects', undefined, { key })
    expect(body).toEqual({
      data: [],
      meta: { total: 0, limit: 25, offset: 0, has_more: false, next_cursor: null },
    })
  })
})

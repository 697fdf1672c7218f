import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ID_ALPHABET } from '../../src/domain/ids.ts'
import { startService, type TestService } from '../support/service.ts'
import { openServiceDatabase } from '../support/test-database.ts'

let service: TestService
let project: string
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject('Moves')
})

const call: TestService['call'] = (...request) => service.call(...request)
async function livePage(slug: string, page: object = {}): Promise<string> {
  const body = {
    project_id: project,
    title: slug,
    type: 'docs',
    subroute: '',
    slug,
    markdown_content: 'Text.',
  }
  const { id } = (await call('POST', '/pages', { ...body, ...page })).body.data
  await publish(id)
  return id
}
const publish = (id: string) => call('POST', `/pages/${id}/publish`)
const unpublish = (id: string) => call('POST', `/pages/${id}/unpublish`)
async function move(id: string, ...slugs: readonly string[]) {
  for (const slug of slugs) {
    expect((await call('PUT', `/pages/${id}`, { slug })).status).toBe(200)
    expect((await publish(id)).status).toBe(200)
  }
}
/** Where a path leads: to a path, or what its status is. */
async function end(path: string): Promise<string | number> {
  const address = new URL(`/public/${project}${path}/`, service.url)
  const { status, headers } = await fetch(address, { redirect: 'manual' })
  const location = headers.get('location')
  if (location === null) return status
  expect(status).toBe(308)
  return new URL(location, address).pathname.slice(`/public/${project}`.length)
}
const list = async (query = '') =>
  (await call('GET', `/projects/${project}/redirects?limit=100${query}`)).body.data
const removed = async (id: string, query = '') => (await call('DELETE', `/pages/${id}${query}`)).body.data

describe('a path that a page has left', () => {
  test('leads to the page, however often the page moves', async () => {
    const names = Array.from({ length: 8 }, (_, number) => `name-${number}`)
    const id = await livePage(names[0] ?? '')
    await move(id, ...names.slice(1))
    for (const name of names.slice(0, -1)) expect(await end(`/${name}`)).toBe('/name-7/')
    expect(await list('&kind=former')).toHaveLength(7)
  })

  test('answers 404 while the page is not live, and leads to it again when it is published anywhere', async () => {
    const id = await livePage('one')
    await move(id, 'two')
    await unpublish(id)
    expect([await end('/one'), await end('/two')]).toEqual([404, 404])
    expect(await list()).toMatchObject([
      { from: '/one', to: '/two', kind: 'former', live: false, page_id: id },
      { from: '/two', kind: 'former', live: false },
    ])
    await move(id, 'three')
    expect([await end('/one'), await end('/two')]).toEqual(['/three/', '/three/'])
    await move(id, 'one')
    expect([await end('/one'), await end('/two')]).toEqual([200, '/one/'])
  })

  test('is given back when the page that took it is unpublished, moved or deleted', async () => {
    const id = await livePage('shared')
    await move(id, 'mine')
    const other = await livePage('shared')
    expect(await end('/shared')).toBe(200)
    await unpublish(other)
    expect(await end('/shared')).toBe('/mine/')
    await publish(other)
    expect(await end('/shared')).toBe(200)
    await move(other, 'others')
    expect(await end('/shared')).toBe('/others/')
    await call('DELETE', `/pages/${other}`)
    expect([await end('/shared'), await end('/others')]).toEqual(['/mine/', 404])
  })

  test('gives way to a list, and is back when the list is gone', async () => {
    const id = await livePage('news')
    await move(id, 'elsewhere')
    expect(await end('/news')).toBe('/elsewhere/')
    const article = await livePage('first', { type: 'article', subroute: 'news' })
    expect(await end('/news')).toBe(200)
    await publish(id)
    expect(await end('/news')).toBe(200)
    await unpublish(article)
    expect(await end('/news')).toBe('/elsewhere/')
  })

  test('is deleted on request, and leads to a page that was there before', async () => {
    const first = await livePage('path')
    await move(first, 'first')
    const second = await livePage('path')
    await move(second, 'second')
    expect(await end('/path')).toBe('/second/')
    const former = (await list('&q=/path')).find(({ page_id: page }: { page_id: string }) => page === second)
    await call('DELETE', `/projects/${project}/redirects/${former.id}`)
    expect(await end('/path')).toBe('/first/')
    const rest = (await list('&q=/path'))[0]
    await call('DELETE', `/projects/${project}/redirects/${rest.id}`)
    expect(await end('/path')).toBe(404)
    await publish(first)
    expect(await end('/path')).toBe(404)
  })

  test('is one of a thousand at most: the move beyond is refused, and what to do is said', async () => {
    const id = await livePage('start')
    const { writer, close } = await openServiceDatabase(service.data)
    const rows = Array.from({ length: 1_000 }, (_, number) => ({
      id: [...String(number)]
        .map((digit) => ID_ALPHABET[Number(digit)])
        .join('')
        .padStart(16, 'z'),
      project_id: project.slice('proj_'.length),
      page_id: id.slice('page_'.length),
      path: `/old-${number}`,
      left_at: '2026-01-01T00:00:00.000Z',
    }))
    await writer('former_addresses').insert(rows.slice(0, 500))
    await writer('former_addresses').insert(rows.slice(500))
    await close()
    await publish(id)
    expect(await end('/old-999')).toBe('/start/')
    await call('PUT', `/pages/${id}`, { slug: 'moved' })
    const refused = await publish(id)
    expect([refused.status, refused.body.name]).toEqual([400, 'conflict'])
    expect(refused.body.message).toContain('DELETE /projects/:id/redirects/:redirect_id')
    expect((await call('POST', `/pages/${id}/publish?dry_run=true`)).body.name).toBe('conflict')
    const [first] = await list('&kind=former')
    await call('DELETE', `/projects/${project}/redirects/${first.id}`)
    expect((await publish(id)).status).toBe(200)
    expect(await end('/start')).toBe('/moved/')
  })

  test('leads nowhere after its page is deleted, and the answer counts such paths', async () => {
    const id = await livePage('one')
    await move(id, 'two', 'three')
    expect(await removed(id)).toEqual({ id, deleted: true, lost_addresses: 3 })
    expect([await end('/one'), await end('/three')]).toEqual([404, 404])
    const draft = { project_id: project, title: 'Draft', type: 'docs', subroute: '', slug: 'draft' }
    const never = (await call('POST', '/pages', draft)).body.data.id
    expect((await removed(never)).lost_addresses).toBe(0)
  })
})

describe('the addresses of a page that is deleted', () => {
  test('lead to another page with redirect_to, and follow it', async () => {
    const target = await livePage('target')
    const id = await livePage('one')
    await move(id, 'two')
    expect(await removed(id, `?redirect_to=${target}`)).toEqual({ id, deleted: true, lost_addresses: 0 })
    expect([await end('/one'), await end('/two')]).toEqual(['/target/', '/target/'])
    await move(target, 'moved')
    expect(await end('/one')).toBe('/moved/')
    expect(await list('&kind=project')).toMatchObject([{ from: '/one' }, { from: '/two' }])
  })

  test('lead elsewhere also after it was unpublished', async () => {
    await livePage('target')
    const id = await livePage('one')
    await unpublish(id)
    await removed(id, '?redirect_to=/target')
    expect(await end('/one')).toBe('/target/')
  })

  test('cannot lead to the page itself, or to what no redirect can lead to', async () => {
    const id = await livePage('one')
    await move(id, 'two')
    for (const [to, name] of [
      [id, 'invalid_request'],
      ['/one', 'invalid_request'],
      ['/two', 'invalid_request'],
      ['two', 'invalid_request'],
    ])
      expect((await call('DELETE', `/pages/${id}?redirect_to=${to}`)).body.name).toBe(name)
    expect(await end('/two')).toBe(200)
  })
})

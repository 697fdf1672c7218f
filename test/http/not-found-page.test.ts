import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
  fault.on = false
  project = await service.newProject()
})

const LOST = {
  slug: '404',
  subroute: '',
  type: 'page',
  title: 'Off the map',
  markdown_content: 'Turn **back**.',
}
const create = async (fields: object): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = (id: string, query = '') => service.call('POST', `/pages/${id}/publish${query}`)
const visit = (path: string) => fetch(`${service.url}/public/${project}/${path}`)
const lost = async () => {
  const answer = await visit('no/such/page')
  expect(answer.status).toBe(404)
  return answer.text()
}

test('the page at /404 is shown for unknown paths while it is live, and no list has it', async () => {
  const other = await create({ slug: 'other' })
  await publish(other)
  expect(await lost()).toContain('Page not found')

  const id = await create(LOST)
  expect((await publish(id)).status).toBe(200)
  const html = await lost()
  expect(html).toContain('<title>Off the map')
  expect(html).toContain('Turn <strong>back</strong>.')
  expect(html).toContain(`href="${service.url}/public/${project}/"`)
  for (const file of ['sitemap.xml', 'llms.txt'])
    expect(await (await visit(file)).text(), file).not.toMatch(/\/404\b|Off the map/)

  await service.call('PUT', `/pages/${other}`, { title: 'Another title' })
  await publish(other)
  expect(await lost()).toBe(html)

  await service.call('PUT', `/pages/${id}`, { markdown_content: 'Ask **us**.' })
  const second = await publish(id)
  expect(await lost()).toContain('Ask <strong>us</strong>.')
  expect(second.status).toBe(200)

  const releases = (await service.call('GET', `/pages/${id}/releases`)).body.data
  const [, first] = releases
  expect((await service.call('POST', `/pages/${id}/rollback`, { release_id: first.id })).status).toBe(200)
  expect(await lost()).toBe(html)

  await service.call('POST', `/pages/${id}/unpublish`)
  expect(await lost()).toContain('Page not found')
})

test('links of the page to its own site are not marked as links to another one, and those to another are', async () => {
  const text = '[Home](/), [file](/a.pdf), [there](https://example.com/) and [also there](//example.com/x)'
  const id = await create({ ...LOST, markdown_content: text })
  await publish(id)
  const html = await lost()
  const rels = [...html.matchAll(/<a href="([^"]+)"([^>]*)>(Home|file|there|also there)</g)]
  const isMarked = rels.map(([, , rest = '', words]) => [words, rest.includes('rel="external')])
  expect(isMarked).toEqual([
    ['Home', false],
    ['file', false],
    ['there', true],
    ['also there', true],
  ])
  // A preview needs absolute links too.
  const preview = await service.call('GET', `/render/${id}`)
  expect(preview.body).toMatch(/<a href="[^"]*">Home</)
})

test('a page that moves away from /404 leaves the page of the theme for unknown paths', async () => {
  const id = await create(LOST)
  await publish(id)
  await service.call('PUT', `/pages/${id}`, { slug: 'help' })
  expect((await publish(id)).status).toBe(200)
  expect(await lost()).toContain('Page not found')
})

test('after a failed publish, visitors of unknown paths get what they got before', async () => {
  const [id, other] = [await create(LOST), await create({ slug: 'other' })]
  await publish(other)
  fault.on = true
  expect((await publish(id)).status).toBe(500)
  fault.on = false
  expect((await publish(other)).status).toBe(200)
  expect(await lost()).toContain('Page not found')

  await publish(id)
  const html = await lost()
  await service.call('PUT', `/pages/${other}`, { title: 'Another title' })
  fault.on = true
  expect((await publish(other)).status).toBe(500)
  fault.on = false
  expect((await publish(id)).status).toBe(200)
  expect(await lost()).toBe(html)
})

test('a dry run says that the page replaces the one for unknown paths', async () => {
  await publish(await create({ slug: 'other' }))
  const { body } = await publish(await create(LOST), '?dry_run=true')
  expect(body.data.objects).toContainEqual(
    expect.objectContaining({ key: '404.html', action: 'put', reason: 'changed' }),
  )
})

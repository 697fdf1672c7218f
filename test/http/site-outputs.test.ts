import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject('Acme')
})
afterAll(() => service.close())

async function file(key: string): Promise<string | null> {
  const response = await fetch(`${service.url}/public/${project}/${key}`)
  return response.status === 200 ? response.text() : null
}

async function make(slug: string, fields: object): Promise<string> {
  const body = { project_id: project, title: slug, slug, subroute: 'blog', type: 'article', ...fields }
  return (await service.call('POST', '/pages', body)).body.data.id
}

test('publishing an article with a date in the future warns that it is live at once', async () => {
  const id = await make('soon', { title: 'Soon', publish_date: '2999-01-02T00:00:00Z' })
  const { status, body } = await service.call('POST', `/pages/${id}/publish`)
  expect(status).toBe(200)
  expect(JSON.stringify(body)).toContain('QN-FUTURE-DATE')
  await service.call('POST', `/pages/${id}/unpublish`)
})

test('published pages are in the sitemap, the feeds and llms.txt, and unpublished ones are not', async () => {
  const article = await make('hello', {
    title: 'Hello',
    description: 'A greeting.',
    publish_date: '2026-01-02T00:00:00Z',
    markdown_content: '# Hello\n\nRead [the docs](/docs/start).',
  })
  const hidden = await make('hidden', { meta: { robots: 'noindex' }, publish_date: '2026-01-01T00:00:00Z' })
  const docs = await make('start', { subroute: 'docs', type: 'docs', markdown_content: 'Start **here**.' })
  for (const id of [article, hidden, docs]) await service.call('POST', `/pages/${id}/publish`)
  const home = `${service.url}/public/${project}`

  const sitemap = await file('sitemap.xml')
  expect(sitemap?.match(/<loc>[^<]*/g)).toEqual([
    `<loc>${home}/blog/hello/`,
    `<loc>${home}/docs/start/`,
    `<loc>${home}/blog/`,
  ])
  expect(await file('robots.txt')).toContain(`Sitemap: ${home}/sitemap.xml`)
  expect(await file('llms.txt')).toContain(`- [Hello](${home}/blog/hello/index.md): A greeting.`)
  expect(await file('blog/hello/index.md')).toContain('Read [the docs](/docs/start).')
  expect(await file('docs/start/index.md')).toContain('Start **here**.')

  const feed = JSON.parse((await file('_feed.json')) ?? '')
  expect(feed.items.map(({ title }: { title: string }) => title)).toEqual(['Hello', 'hidden'])
  expect(feed.items[0].content_html).toContain(`href="${home}/docs/start/"`)
  expect(await file('feed.xml')).toContain('<title>Hello</title>')
  const types = await fetch(`${home}/feed.xml`)
  expect(types.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')

  for (const id of [article, hidden]) await service.call('POST', `/pages/${id}/unpublish`)
  // Pages announce the feeds, so they exist without articles too. The time of a feed never goes back.
  expect(await file('feed.xml')).toContain('<updated>2999-01-02T00:00:00.000Z</updated>')
  expect(await file('feed.xml')).not.toContain('<entry>')
  expect(JSON.parse((await file('_feed.json')) ?? '').items).toEqual([])
  expect(await file('docs/start/index.html')).toContain('href="../../feed.xml"')
  expect(await file('blog/hello/index.md')).toBeNull()
  expect((await file('sitemap.xml'))?.match(/<loc>[^<]*/g)).toEqual([`<loc>${home}/docs/start/`])
  expect(await file('llms.txt')).not.toContain('Hello')
})

test('settings that no page shows reach the site’s own files with the next publish', async () => {
  const own = await service.newProject('Told')
  const read = async (key: string) => (await fetch(`${service.url}/public/${own}/${key}`)).text()
  const fields = { project_id: own, description: 'Of its own.', publish_date: '2026-01-02T00:00:00Z' }
  const article = await make('news', fields)
  const about = await make('about', { ...fields, subroute: '', type: 'page' })
  for (const id of [article, about]) await service.call('POST', `/pages/${id}/publish`)
  const revision = async () => JSON.parse(await read('_index.json')).revision
  const before = await revision()

  const settings = { meta_description: 'Of the whole site.' }
  expect((await service.call('PUT', `/projects/${own}/settings`, settings)).status).toBe(200)
  expect(await read('llms.txt')).not.toContain('Of the whole site.')
  const again = await service.call('POST', `/pages/${about}/publish`)
  expect(again.body.data.changed).toBe(false)
  expect(await read('llms.txt')).toContain('> Of the whole site.')
  expect(await read('feed.xml')).toContain('<subtitle>Of the whole site.</subtitle>')
  expect(await revision()).toBe(before + 1)
  expect(await read('blog/index.html')).not.toContain('Of the whole site.')

  const same = await service.call('POST', `/pages/${article}/publish`)
  expect(same.body.data.changed).toBe(false)
  expect(await read('blog/index.html')).toContain('Of the whole site.')
  expect(await revision()).toBe(before + 2)
  await service.call('POST', `/pages/${article}/publish`)
  expect(await revision()).toBe(before + 2)
})

test('the fields of an item lie beside its page as JSON, and go with it', async () => {
  const id = await make('anvil', {
    subroute: 'shop',
    type: 'item',
    title: 'Anvil',
    description: 'Does not bounce.',
    config: { price: 120, sizes: ['S', 'L'], maker: { name: 'Acme' }, theme: 'dark' },
  })
  await service.call('POST', `/pages/${id}/publish`)
  const home = `${service.url}/public/${project}`
  expect(JSON.parse((await file('shop/anvil/_item.json')) ?? '')).toEqual({
    title: 'Anvil',
    slug: 'anvil',
    subroute: 'shop',
    url: `${home}/shop/anvil/`,
    description: 'Does not bounce.',
    image: null,
    fields: { price: 120, sizes: ['S', 'L'], maker: { name: 'Acme' } },
    markdown_content: '',
  })
  expect(await file('shop/anvil/')).toContain('href="../../shop/anvil/_item.json"')
  await service.call('POST', `/pages/${id}/unpublish`)
  expect(await file('shop/anvil/_item.json')).toBeNull()
})

test('a feed names the fifty newest articles, whenever each was published', async () => {
  const ids = await Promise.all(
    Array.from({ length: 53 }, (_, day) =>
      make(`a-${day}`, { publish_date: new Date(Date.UTC(2025, 0, 1 + day)).toISOString() }),
    ),
  )
  await Promise.all(ids.map((id) => service.call('POST', `/pages/${id}/publish`)))
  const { items } = JSON.parse((await file('_feed.json')) ?? '')
  expect(items.map(({ title }: { title: string }) => title)).toEqual(
    Array.from({ length: 50 }, (_, index) => `a-${52 - index}`),
  )
})

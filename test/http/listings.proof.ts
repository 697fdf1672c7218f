import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { createRandom } from '../support/random.ts'
import { startService, type TestService } from '../support/service.ts'

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
  project = await service.newProject('Acme')
})

const create = async (slug: string, fields: object = {}): Promise<string> => {
  const body = {
    project_id: project,
    title: `The ${slug}`,
    slug,
    subroute: 'blog',
    type: 'article',
    ...fields,
  }
  return (await service.call('POST', '/pages', body)).body.data.id
}
const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
const unpublish = (id: string) => service.call('POST', `/pages/${id}/unpublish`)
const put = (id: string, body: object) => service.call('PUT', `/pages/${id}`, body)
const createLive = async (slug: string, fields: object = {}): Promise<string> => {
  const id = await create(slug, fields)
  expect((await publish(id)).status).toBe(200)
  return id
}
const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString()

/** Articles `a-0`, `a-1`, …, published as one operation. */
async function publishMany(count: number): Promise<string[]> {
  const ids = await Promise.all(
    Array.from({ length: count }, (_, n) => create(`a-${n}`, { publish_date: day(n) })),
  )
  await publishTogether(ids)
  return ids
}
async function publishTogether(pages: readonly string[]): Promise<void> {
  const { id } = (await service.call('POST', `/projects/${project}/publish`, { pages })).body.data
  await expect.poll(async () => (await service.call('GET', `/jobs/${id}`)).body.data.status).toBe('succeeded')
}

const read = async (key: string): Promise<string | null> => {
  const body = await storage.get(`${project}/${key}`)
  return body === null ? null : Buffer.from(body).toString()
}
const listed = async (key: string) =>
  [...((await read(key)) ?? '').matchAll(/<a class="card-link" href="[^"]*?([^"/]+)\/"/g)].map(([, at]) => at)
/** Listing documents of the blog. */
const listings = async () =>
  (await storage.list(`${project}/blog/`))
    .map((key) => key.slice(project.length + 1))
    .filter((key) => /^blog\/(page\/\d+\/)?index\.html$/.test(key))
const slugs = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => `a-${from - index}`)
/** Objects of the project that an act stored and deleted. Search indexes of other projects may change meanwhile. */
async function written(act: () => Promise<unknown>): Promise<readonly string[]> {
  const from = storage.log.length
  await act()
  const ours = storage.log.slice(from).filter((line) => line.includes(` ${project}/`))
  return ours.map((line) => line.replace(`${project}/`, ''))
}

describe('the list of the articles of a subroute', () => {
  test('shows them newest first, with the links and words of a page of the site', async () => {
    await createLive('old', { publish_date: day(1), description: 'About old things.' })
    await createLive('new', { publish_date: day(2), og_image_url: '/cover.png' })
    await createLive('guide', { type: 'docs' })
    await create('draft')
    const response = await fetch(`${service.url}/public/${project}/blog`)
    expect(response.status).toBe(200)
    const html = await response.text()
    expect(await listed('blog/index.html')).toEqual(['new', 'old'])
    expect(html).toContain('<h1>Blog</h1>')
    expect(html).toContain('<title>Blog · Acme</title>')
    expect(html).toContain(`<link rel="canonical" href="${service.url}/public/${project}/blog/">`)
    expect(html).toContain('type="application/atom+xml" href="../feed.xml"')
    expect(html).toContain('"@type":"CollectionPage"')
    expect(html).toContain('<time datetime="2026-01-02T00:00:00.000Z">January 2, 2026</time>')
    expect(html).toContain('About old things.')
    expect(html).toContain('<img src="../cover.png"')
    expect(html).not.toContain('class="pager"')
    expect(await read('sitemap.xml')).toContain(`<loc>${service.url}/public/${project}/blog/</loc>`)
    expect(await read('blog/old/index.html')).toContain('<a href="../../blog/">Blog</a>')
    expect(await read('blog/old/index.html')).toContain('"@type":"BreadcrumbList"')
  })

  test('goes with the last of them, and not before', async () => {
    const [one, two] = [await createLive('one'), await createLive('two')]
    const log = await written(() => unpublish(one))
    expect(log.indexOf('put blog/index.html')).toBeLessThan(log.indexOf('delete blog/one/index.html'))
    expect(await listed('blog/index.html')).toEqual(['two'])
    await service.call('DELETE', `/pages/${two}`)
    expect(await listings()).toEqual([])
    expect(await read('sitemap.xml')).not.toContain('blog')
  })

  test('omits articles without a subroute and the page of a folder itself', async () => {
    await createLive('alone', { subroute: '' })
    expect(await read('index.html')).toBeNull()
    const index = await createLive('index', { title: 'Journal' })
    await createLive('hello')
    expect(await read('blog/index.html')).toContain('<h1>Journal</h1>')
    await unpublish(index)
    expect(await listed('blog/index.html')).toEqual(['hello'])
  })

  test('is in the language of the site', async () => {
    await service.call('PUT', `/v1/projects/${project}/settings`, { branding: { lang: 'de' } })
    await publishMany(25)
    expect(await read('blog/index.html')).toContain('Ältere Artikel')
    expect(await read('blog/page/1/index.html')).toMatch(/<title>Blog · Seite 1 · Acme[\s\S]*Neuere Artikel/)
  })

  test('lies where the subroute is mapped to, and may be the home page', async () => {
    await service.call('PUT', `/v1/projects/${project}/settings`, {
      site_routes: { blog: '/', news: 'press' },
    })
    await createLive('hello')
    await createLive('today', { subroute: 'news' })
    expect(await listed('index.html')).toEqual(['hello'])
    expect(await listed('press/index.html')).toEqual(['today'])
    expect(await read('index.html')).toContain('<h1>Acme</h1>')
    await createLive('index', { type: 'page', subroute: '', title: 'Home' })
    expect(await read('index.html')).toContain('<h1>Home</h1>')
  })
})

describe('numbered pages', () => {
  test('hold the older articles, and only the newest numbered page is rewritten', async () => {
    await publishMany(25)
    expect(await listings()).toEqual(['blog/index.html', 'blog/page/1/index.html'])
    expect(await listed('blog/index.html')).toEqual(slugs(24, 12))
    expect(await listed('blog/page/1/index.html')).toEqual(slugs(11, 0))
    expect(await read('blog/index.html')).toContain('rel="next" href="../blog/page/1/"')
    expect(await read('blog/page/1/index.html')).toContain('rel="prev" href="../../../blog/"')

    const ids: string[] = []
    for (let n = 25; n < 37; n++) ids.push(await create(`a-${n}`, { publish_date: day(n) }))
    const last = ids.pop() ?? ''
    await publishTogether(ids)
    const log = await written(() => publish(last))
    // The search index follows the publishes before when its turn comes.
    const puts = log.filter((line) => line.startsWith('put') && !/^put (_search|llms-full)/.test(line))
    expect(puts.filter((line) => /blog\/(page|index)/.test(line)).toSorted()).toEqual([
      'put blog/index.html',
      'put blog/page/1/index.html',
      'put blog/page/2/index.html',
    ])
    // Before anything leads there.
    for (const other of ['put blog/page/1/index.html', 'put blog/index.html'])
      expect(puts.indexOf('put blog/page/2/index.html')).toBeLessThan(puts.indexOf(other))
    expect(puts.length).toBeLessThanOrEqual(12)
    expect(await listed('blog/page/2/index.html')).toEqual(slugs(23, 12))
    expect(await read('blog/page/1/index.html')).toContain('rel="prev" href="../../../blog/page/2/"')

    const again = await create('b-1', { publish_date: day(99) })
    const added = await written(() => publish(again))
    expect(added.filter((line) => /blog\/(page|index)/.test(line))).toEqual(['put blog/index.html'])
  })

  test('keep the place of an article that was taken down, whatever came after it', async () => {
    const ids = await publishMany(25)
    await unpublish(ids[0] ?? '')
    expect(await listed('blog/page/1/index.html')).toEqual(slugs(11, 1))
    await createLive('a-25', { publish_date: day(25) })
    const log = await written(() => publish(ids[0] ?? ''))
    expect(log.filter((line) => /blog\/(page|index)/.test(line))).toEqual(['put blog/page/1/index.html'])
    expect(await listed('blog/page/1/index.html')).toEqual(slugs(11, 0))

    // To another folder and back: its old place waited.
    await put(ids[3] ?? '', { subroute: 'notes', status: 'published' })
    expect(await listed('notes/index.html')).toEqual(['a-3'])
    await put(ids[3] ?? '', { subroute: 'blog', status: 'published' })
    expect(await listed('blog/page/1/index.html')).toEqual(slugs(11, 0))
    expect(await read('notes/index.html')).toBeNull()
  })

  test('a rename to another folder writes at most eighteen objects', async () => {
    const [id] = await publishMany(25)
    await createLive('other', { subroute: 'notes' })
    const log = await written(() => put(id ?? '', { subroute: 'notes', slug: 'moved', status: 'published' }))
    expect(log.filter((line) => line.startsWith('put')).length).toBeLessThanOrEqual(18)
    expect(await listed('notes/index.html')).toContain('moved')
  })
})

describe('a site in three languages and two versions', () => {
  const CONNECTED = {
    locales: [
      { code: 'en', label: 'English' },
      { code: 'fr', label: 'Français', subroute: 'fr' },
      { code: 'de', label: 'Deutsch', subroute: 'de' },
    ],
    versions: [
      { name: '2.0', subroute: 'docs', latest: true },
      { name: '1.0', subroute: 'docs/v1' },
    ],
  }
  const FOLDERS = ['', 'fr/', 'de/'].flatMap((start) => [`${start}docs`, `${start}docs/v1`])

  /** The objects that a publish of a changed page writes, where the same pages are connected or not. */
  async function puts(settings: object, pagesPerFolder: number): Promise<readonly string[]> {
    project = await service.newProject('Acme')
    await service.call('PUT', `/projects/${project}/settings`, settings)
    const ids: string[] = []
    for (const subroute of FOLDERS)
      for (let n = 0; n < pagesPerFolder; n++) ids.push(await create(`p-${n}`, { subroute, type: 'docs' }))
    await publishTogether(ids)
    await put(ids[0] ?? '', { title: 'Another title', markdown_content: 'Other words.' })
    const log = await written(() => publish(ids[0] ?? ''))
    // The search index follows when its turn comes.
    return log.filter((line) => line.startsWith('put') && !/^put (_search|llms-full)/.test(line)).toSorted()
  }

  test('writes no more when a page is published than its page, its navigation and the files of the site', async () => {
    const few = await puts(CONNECTED, 2)
    const others = ['_index.json', '_nav/docs.json', '_nav/docs/index.html', 'llms.txt', 'sitemap.xml']
    const expected = ['docs/p-0/index.html', 'docs/p-0/index.md', ...others].map((key) => `put ${key}`)
    expect(few).toContain('put docs/p-0/index.html')
    expect(expected).toEqual(expect.arrayContaining([...few]))
    expect(await puts(CONNECTED, 8)).toEqual(few)
    expect(await puts({}, 2)).toEqual(few)
  })
})

describe('a page published on the path of a list', () => {
  test('takes its place, and the list returns when that page is gone', async () => {
    const hello = await createLive('hello')
    const own = await createLive('blog', { subroute: '', type: 'page', title: 'Our blog' })
    expect(await read('blog/index.html')).toContain('<h1>Our blog</h1>')
    expect((await read('sitemap.xml'))?.match(/blog\/<\/loc>/g)).toHaveLength(1)
    await createLive('second')
    await unpublish(hello)
    expect(await read('blog/index.html')).toContain('<h1>Our blog</h1>')

    const log = await written(() => unpublish(own))
    expect(log).not.toContain('delete blog/index.html')
    expect(await listed('blog/index.html')).toEqual(['second'])
    await publish(own)
    await put(own, { slug: 'journal', status: 'published' })
    expect(await listed('blog/index.html')).toEqual(['second'])
    await unpublish(own)
    expect(await listed('blog/index.html')).toEqual(['second'])
  })

  test('gives it back when its publish fails', async () => {
    await createLive('hello')
    const list = await read('blog/index.html')
    const own = await create('blog', { subroute: '', type: 'page', title: 'Our blog' })
    fault.on = true
    expect((await publish(own)).status).toBe(500)
    fault.on = false
    await expect.poll(() => read('blog/index.html')).toBe(list)
    expect((await publish(own)).status).toBe(200)
    expect(await read('blog/index.html')).toContain('<h1>Our blog</h1>')
  })

  test('may be any of its pages', async () => {
    const ids = await publishMany(25)
    const own = await createLive('1', { subroute: 'blog/page', type: 'page', title: 'Mine' })
    expect(await read('blog/page/1/index.html')).toContain('<h1>Mine</h1>')
    await put(ids[0] ?? '', { title: 'Changed', status: 'published' })
    expect(await read('blog/page/1/index.html')).toContain('<h1>Mine</h1>')
    await service.call('DELETE', `/pages/${own}`)
    expect(await read('blog/page/1/index.html')).toContain('Changed')
  })
})

test('whatever is published, taken down, moved or put in the way, each live article is on one list once', async () => {
  const random = createRandom(20261121)
  const own = [
    await create('blog', { subroute: '', type: 'page' }),
    await create('1', { subroute: 'blog/page', type: 'page' }),
  ]
  const articles = new Map(
    (await publishMany(30)).map((id, n) => [id, { folder: 'blog', slug: `a-${n}`, live: true }]),
  )
  const there = new Set<string>()
  for (let step = 0; step < 20; step++) {
    const id = random.pick([...articles.keys()])
    const article = articles.get(id) ?? expect.unreachable()
    const act = random.pick(['toggle', 'toggle', 'toggle', 'move', 'own'] as const)
    if (act === 'own') {
      const page = random.pick(own)
      expect((await (there.has(page) ? unpublish(page) : publish(page))).status).toBe(200)
      if (!there.delete(page)) there.add(page)
    } else if (act === 'move') {
      article.folder = article.folder === 'blog' ? 'notes' : 'blog'
      article.live = true
      expect((await put(id, { subroute: article.folder, status: 'published' })).status).toBe(200)
    } else {
      expect((await (article.live ? unpublish(id) : publish(id))).status).toBe(200)
      article.live = !article.live
    }
    await expectLists([...articles.values()].filter(({ live }) => live))
  }
})

/** Lists, those apart that pages have taken over, name all live articles of their folder once, and lead to each other. */
async function expectLists(
  live: readonly { readonly folder: string; readonly slug: string }[],
): Promise<void> {
  const keys = new Set((await storage.list(`${project}/`)).map((key) => key.slice(project.length + 1)))
  for (const folder of ['blog', 'notes']) {
    const documents = [...keys].filter((key) => new RegExp(`^${folder}/(page/\\d+/)?index\\.html$`).test(key))
    const bodies = await Promise.all(documents.map(async (key) => [key, (await read(key)) ?? ''] as const))
    const lists = bodies.filter(([, html]) => html.includes('class="listing-layout"'))
    const named = (await Promise.all(lists.map(([key]) => listed(key)))).flat()
    const expected = live.filter((article) => article.folder === folder).map(({ slug }) => slug)
    expect(new Set(named).size).toBe(named.length)
    if (lists.length === documents.length) expect(named.toSorted()).toEqual(expected.toSorted())
    else expect(expected).toEqual(expect.arrayContaining(named))
    for (const [key, html] of lists)
      for (const [, href = ''] of html.matchAll(/rel="(?:prev|next)" href="([^"]*)"/g))
        expect(keys).toContain(`${new URL(href, `http://x/${key}`).pathname.slice(1)}index.html`)
  }
}

describe('lists', () => {
  test('are in the plan of a dry run, which writes none', async () => {
    await createLive('one')
    const id = await create('two')
    const { objects } = (await service.call('POST', `/pages/${id}/publish?dry_run=true`)).body.data
    expect(objects).toContainEqual(
      expect.objectContaining({ key: 'blog/index.html', action: 'put', reason: 'changed' }),
    )
    expect(await listed('blog/index.html')).toEqual(['one'])
  })

  test('are no dead links for the articles that bring them', async () => {
    const id = await create('one', { markdown_content: 'Back to [the blog](/blog).' })
    expect((await publish(id)).body.data.warnings ?? []).toEqual([])
  })

  test('go at the first encrypted publish, and come back with the articles', async () => {
    const ids = await publishMany(26)
    await createLive('note', { subroute: 'notes' })
    const base = `/projects/${project}/data-mode`
    await service.call('POST', `${base}/enable`)
    expect(await listings()).toHaveLength(2)
    await publish(ids[3] ?? '')
    expect(await listings()).toEqual([])
    expect(await read('notes/index.html')).toBeNull()
    await service.call('POST', `/projects/${project}/publish`, { pages: 'all' })
    await service.call('POST', `${base}/disable`)
    await publish(ids[25] ?? '')
    expect(await listed('blog/index.html')).toContain('a-25')
    for (const key of await listings())
      for (const at of await listed(key)) expect(await read(`blog/${at}/index.html`)).not.toBeNull()
  })

  test('are put back when a publish fails', async () => {
    const ids = await publishMany(36)
    const before = new Map(
      await Promise.all((await listings()).map(async (key) => [key, await read(key)] as const)),
    )
    const id = await create('a-36', { publish_date: day(36) })
    fault.on = true
    const failed = await publish(id)
    fault.on = false
    expect(failed.status).toBe(500)
    await expect.poll(async () => (await publish(ids[35] ?? '')).status).toBe(200)
    const now = new Map(
      await Promise.all((await listings()).map(async (key) => [key, await read(key)] as const)),
    )
    expect(now).toEqual(before)
    expect((await publish(id)).status).toBe(200)
    expect(await listings()).toEqual(['blog/index.html', 'blog/page/1/index.html', 'blog/page/2/index.html'])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
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
const publish = async (id: string) => (await service.call('POST', `/pages/${id}/publish`)).body.data
const createLive = async (slug: string, fields: object = {}): Promise<string> => {
  const id = await create(slug, fields)
  await publish(id)
  return id
}
/** A live page at `/home` with one `posts` section. */
const home = (section: object = {}) =>
  createLive('home', {
    subroute: '',
    type: 'page',
    config: { sections: [{ type: 'posts', title: 'News', ...section }] },
  })
const put = (id: string, body: object) => service.call('PUT', `/pages/${id}`, body)
const text = async (path: string) => (await fetch(`${service.url}/public/${project}${path}`)).text()
const links = async (path = '/home/') => linksIn(await text(path))
const linksIn = (html: string) =>
  [...html.matchAll(/<a class="card-link" href="([^"]*)"/g)].map(([, href]) => href)
const stale = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data.stale

describe('a posts section', () => {
  test('shows the newest live articles, each with what its author gave', async () => {
    await createLive('old', { publish_date: '2026-01-01', description: 'All of old.' })
    await createLive('new', {
      publish_date: '2026-02-01',
      author: { name: 'Ada' },
      markdown_content:
        '---\nimage:\n  src: ./cover.png\n  alt: A cover\n  width: 800\n  height: 450\n---\nHi.',
    })
    await create('draft')
    await createLive('guide', { type: 'docs', subroute: 'docs' })
    await home()
    expect(await links()).toEqual(['../blog/new/', '../blog/old/'])
    const html = await text('/home/')
    expect(html).toContain('<time datetime="2026-02-01T00:00:00.000Z">February 1, 2026</time>')
    expect(html).toContain('<img src="../blog/new/cover.png" alt="A cover" width="800" height="450"')
    expect(html).toContain('<p class="excerpt">All of old.</p>')
    expect(html).toContain('<span>Ada</span>')
    expect(await text('/home/index.md')).toContain(
      '## News\n\n- [The new](/blog/new), 2026-02-01, Ada\n- [The old](/blog/old), 2026-01-01: All of old.',
    )
  })

  test('lists an archive by year or month, a series from its start, and the articles of a tag or an author', async () => {
    const tale = { tags: ['A Tale'], author: { name: 'Ada' } }
    await createLive('first', { publish_date: '2024-11-30', ...tale })
    await createLive('second', { publish_date: '2025-01-31', ...tale })
    await createLive('third', { publish_date: '2025-01-01', tags: ['Other'], author: { name: 'Bo' } })
    const id = await home({ group_by: 'year' })
    const headings = async () =>
      [...(await text('/home/')).matchAll(/class="posts-period">([^<]*)</g)].map(([, title]) => title)
    const shown = async (section: object) => {
      await put(id, { config: { sections: [{ type: 'posts', ...section }] } })
      await publish(id)
      return (await links()).map((link) => link?.replace('../blog/', ''))
    }
    expect(await headings()).toEqual(['2025', '2024'])
    expect(await shown({ group_by: 'month' })).toEqual(['second/', 'third/', 'first/'])
    expect(await headings()).toEqual(['January 2025', 'November 2024'])
    expect(await shown({ tags: ['a-tale'], reverse: true })).toEqual(['first/', 'second/'])
    expect(await headings()).toEqual([])
    expect(await shown({ author: 'bo' })).toEqual(['third/'])
    await createLive('fourth', { author: { name: 'Ada' } })
    expect(await stale(id)).toEqual([])
    await createLive('fifth', { author: { name: 'Bo' } })
    expect(await stale(id)).toEqual(['collection'])
  })

  test('chooses by type, subroute, order and number, and never lists its own page', async () => {
    const item = { type: 'item', subroute: 'tools' }
    for (const slug of ['saw', 'axe', 'hammer']) await createLive(slug, item)
    await createLive('elsewhere', { type: 'item', subroute: 'other' })
    for (const section of [
      { page_type: 'item', subroute: '/Tools/', sort: 'title', limit: 2 },
      { type: 'items-grid', subroute: 'tools', sort: 'title', limit: '2' },
    ]) {
      const id = await home(section)
      expect(await links()).toEqual(['../tools/axe/', '../tools/hammer/'])
      expect(await text('/home/')).not.toContain('<time')
      await service.call('DELETE', `/pages/${id}`)
    }
    await home({ page_type: 'page', subroute: '' })
    await createLive('second', { subroute: '', type: 'page' })
    const { id } = (await service.call('GET', `/pages?project_id=${project}&slug=home`)).body.data[0]
    await publish(id)
    expect(await links()).toEqual(['../second/'])
    await put(id, { config: { sections: [{ type: 'posts', page_type: 'docs', sort: 'nav_order' }] } })
    await createLive('b', { type: 'docs', subroute: 'docs', nav_order: 1 })
    await createLive('a', { type: 'docs', subroute: 'docs', nav_order: 2 })
    await publish(id)
    expect(await links()).toEqual(['../docs/b/', '../docs/a/'])
  })

  test('leaves no trace of itself when it finds nothing', async () => {
    await home()
    expect(await text('/home/')).not.toContain('News')
    expect(await text('/home/index.md')).not.toContain('## News')
  })

  test('shows the live version, not later edits', async () => {
    const id = await createLive('hello')
    await put(id, { title: 'Edited' })
    const page = await home()
    expect(await text('/home/')).toContain('The hello')
    expect(await stale(page)).toEqual([])
  })

  test('is shown with the present pages in a preview and in the Markdown of a draft', async () => {
    const config = { sections: [{ type: 'posts', title: 'News' }] }
    const page = await create('home', { type: 'page', subroute: '', config })
    await createLive('hello')
    expect(linksIn((await service.call('GET', `/render/${page}`)).body)).toEqual([
      `/public/${project}/blog/hello/`,
    ])
    const markdown = (await service.call('GET', `/pages/${page}?format=markdown`)).body
    expect(markdown).toContain('- [The hello](/blog/hello), ')
  })

  test('is filled from the pages that go live together with it', async () => {
    const config = { sections: [{ type: 'posts' }] }
    const ids = [await create('home', { type: 'page', subroute: '', config }), await create('hello')]
    const { id: job } = (await service.call('POST', `/projects/${project}/publish`, { pages: ids })).body.data
    await expect
      .poll(async () => (await service.call('GET', `/jobs/${job}`)).body.data.status)
      .toBe('succeeded')
    expect(await links()).toEqual(['../blog/hello/'])
    expect(await stale(ids[0] ?? '')).toEqual([])
  })

  test('goes into the sealed page in Data Mode, and lists no sealed page once that is off', async () => {
    const article = await createLive('hello')
    const page = await home()
    const base = `/projects/${project}/data-mode`
    expect((await service.call('POST', `${base}/enable`)).status).toBe(200)
    await publish(article)
    await publish(page)
    await service.call('POST', `${base}/disable`)
    expect(await stale(page)).toEqual(['hosting'])
    await publish(page)
    expect(await links()).toEqual([])
    await publish(article)
    expect(await stale(page)).toEqual(['collection'])
    await publish(page)
    expect(await links()).toEqual(['../blog/hello/'])
  })
})

describe('a page with a posts section is stale for its collection', () => {
  test('exactly while publishing it again would show something else', async () => {
    const [one, two] = [await createLive('one', { publish_date: '2026-01-01' }), await create('two')]
    const page = await home({ limit: 1, show_excerpt: false })
    expect(await stale(page)).toEqual([])

    await publish(two)
    expect(await stale(page)).toEqual(['collection'])
    await service.call('POST', `/pages/${two}/unpublish`)
    expect(await stale(page)).toEqual([])

    // Behind the limit, not shown, or not published: nothing that a visitor could notice.
    await createLive('older', { publish_date: '2025-01-01' })
    await createLive('guide', { type: 'docs' })
    await put(one, { description: 'Not shown here.', status: 'published' })
    expect(await stale(page)).toEqual([])
    await put(one, { title: 'Renamed' })
    expect(await stale(page)).toEqual([])
    await publish(one)
    expect(await stale(page)).toEqual(['collection'])
    await publish(page)
    expect(await stale(page)).toEqual([])
    await put(one, { slug: 'moved', status: 'published' })
    expect(await stale(page)).toEqual(['collection'])
    await service.call('DELETE', `/pages/${one}`)
    expect(await stale(page)).toEqual(['collection'])

    const { id: job } = (await service.call('POST', `/projects/${project}/publish`, { pages: 'stale' })).body
      .data
    await expect
      .poll(async () => (await service.call('GET', `/jobs/${job}`)).body.data.status)
      .toBe('succeeded')
    expect(await stale(page)).toEqual([])
    expect(await links()).toEqual(['../blog/older/'])
  })

  test('as its live sections ask, not as an edit of them would', async () => {
    const page = await home()
    await put(page, { config: { sections: [{ type: 'posts', page_type: 'docs' }] } })
    await createLive('guide', { type: 'docs' })
    expect(await stale(page)).toEqual(['content'])
    await createLive('hello')
    expect(await stale(page)).toEqual(['content', 'collection'])
  })
})

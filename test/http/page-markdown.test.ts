import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { splitFrontMatter } from '../../src/page-text/front-matter.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let n = 0

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())

async function create(fields: object): Promise<string> {
  const { body } = await service.call('POST', '/pages', pageBody(project, { slug: `page-${++n}`, ...fields }))
  return body.data.id
}

const get = (id: string, query = '', headers = {}) =>
  service.call('GET', `/pages/${id}?format=markdown${query}`, undefined, { headers })

describe('format=markdown', () => {
  test('an article is its front matter and its Markdown, byte for byte', async () => {
    const markdown = '---\ntags: [a, b]\ntitle: Old\npublish_date: 2026-02-03\n---\n# Hi\r\n\n* *One* \n'
    const id = await create({
      title: 'News: today',
      description: 'What is new.',
      og_image_url: '/og.png',
      meta: { title: 'SEO' },
      markdown_content: markdown,
      author: 'Jane',
    })
    const { status, headers, body } = await get(id)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const page = (await service.call('GET', `/pages/${id}`)).body.data
    expect(splitFrontMatter(body)).toEqual({
      error: null,
      body: '# Hi\r\n\n* *One* \n',
      frontMatter: {
        id,
        title: 'News: today',
        slug: `page-${n}`,
        subroute: '',
        type: 'article',
        status: 'draft',
        url: `/page-${n}`,
        description: 'What is new.',
        og_image_url: '/og.png',
        meta: { title: 'SEO' },
        publish_date: '2026-02-03T00:00:00.000Z',
        author: { name: 'Jane' },
        updated_at: page.updated_at,
        tags: ['a', 'b'],
      },
    })
  })

  test('a docs page has its place in the tree, a published page says so', async () => {
    const parent = await create({ type: 'docs', markdown_content: 'Parent.' })
    const id = await create({ type: 'docs', markdown_content: 'Child.', parent_page: parent, nav_order: 2 })
    await service.call('POST', `/pages/${id}/publish`)
    const { frontMatter, body } = splitFrontMatter((await get(id)).body)
    expect(frontMatter).toMatchObject({
      status: 'published',
      published_at: expect.any(String),
      parent_page: parent,
      nav_order: 2,
    })
    expect(body).toBe('Child.')
  })

  test('a page of sections has its config in the front matter and reads as Markdown', async () => {
    const config = {
      theme: 'dark',
      sections: [
        { type: 'hero', title: 'Hello', cta_text: 'Go', cta_url: '/go' },
        { type: 'features', items: [{ title: 'Fast', description: 'In *seconds*.' }] },
      ],
    }
    const { frontMatter, body } = splitFrontMatter((await get(await create({ type: 'page', config }))).body)
    expect(frontMatter['config']).toEqual(config)
    expect(body).toBe('# Hello\n\n- [Go](/go)\n\n### Fast\n\nIn *seconds*.\n')
  })

  test('an item reads as a list of its fields, then its Markdown', async () => {
    const config = {
      image: { src: '/cover.png', alt: 'A cover' },
      releaseDate: '1. May',
      in_stock: true,
      price: 12.5,
      empty: '',
      site: 'https://a.example/x_y',
      logo: '/logo.svg',
      script: 'javascript:alert(1)',
      sizes: ['S', '- M', { width: 2 }],
      made: { by: 'Acme *Inc*', in: [] },
    }
    const id = await create({ type: 'item', title: 'Thing', config, markdown_content: 'More.\n' })
    const { frontMatter, body } = splitFrontMatter((await get(id)).body)
    expect(frontMatter['config']).toEqual(config)
    expect(body).toBe(`# Thing

![A cover](/cover.png)

- **Release date:** 1\\. May
- **In stock:** Yes
- **Price:** 12.5
- **Site:** [https://a.example/x_y](https://a.example/x_y)
- **Logo:** ![Logo](/logo.svg)
- **Script:** javascript:alert(1)
- **Sizes:**
  - S
  - \\- M
  - - **Width:** 2
- **Made:**
  - **By:** Acme \\*Inc\\*

More.
`)
  })

  test('include_sections and include_markdown leave out what they leave out of the JSON', async () => {
    const sections = [{ type: 'cta', title: 'Go', actions: [{ text: 'A', link: '/a' }] }]
    const page = await create({ type: 'page', title: 'Page', config: { lang: 'de', sections } })
    const bare = splitFrontMatter((await get(page, '&include_sections=false')).body)
    expect(bare).toMatchObject({ frontMatter: { config: { lang: 'de' } }, body: '# Page\n' })

    const article = await create({ markdown_content: '---\na: 1\n---\nText.' })
    const { frontMatter, body } = splitFrontMatter((await get(article, '&include_markdown=false')).body)
    expect(body).toBe('')
    expect(frontMatter).toMatchObject({ title: 'A page' })
    expect(frontMatter).not.toHaveProperty('a')
  })

  test('a config that front matter cannot hold is left out, and a comment says so', async () => {
    const sections = [{ type: 'content', title: 'Long', body: 'word '.repeat(20_000) }]
    const { body } = await get(await create({ type: 'page', config: { sections } }))
    expect(body).toContain('\n# config is left out: ')
    const read = splitFrontMatter(body)
    expect(read.error).toBeNull()
    expect(read.frontMatter).not.toHaveProperty('config')
    expect(read.body).toContain('## Long\n\nword word')
  })

  test('malformed front matter is left out, and a comment says so', async () => {
    const { body } = await get(await create({ markdown_content: '---\na: [1\n---\nText.' }))
    expect(body).toContain("\n# The author's own front matter is left out. Line ")
    expect(splitFrontMatter(body)).toMatchObject({ error: null, body: 'Text.' })
  })

  test('it has a tag of its own, which spares a reader the second time and guards a write', async () => {
    const id = await create({ markdown_content: 'Text.' })
    const first = await get(id)
    const tag = first.headers.get('etag') ?? expect.unreachable()
    expect(tag).toMatch(/^"1-/)
    expect(tag).not.toBe((await service.call('GET', `/pages/${id}`)).headers.get('etag'))
    expect((await get(id, '', { 'If-None-Match': tag })).status).toBe(304)

    const put = (title: string) =>
      service.call('PUT', `/pages/${id}`, { title }, { headers: { 'If-Match': tag } })
    expect((await put('New')).status).toBe(200)
    expect((await put('Newer')).status).toBe(412)
    expect((await get(id, '', { 'If-None-Match': tag })).status).toBe(200)
  })

  test('json is the default, anything else is refused', async () => {
    const id = await create({})
    expect((await service.call('GET', `/pages/${id}?format=json`)).body.data.id).toBe(id)
    expect(await service.call('GET', `/pages/${id}?format=html`)).toMatchObject({
      status: 422,
      body: { name: 'invalid_request', message: expect.stringContaining('format') },
    })
  })
})

test('a preview, which must not be stored, has no tag', async () => {
  const { status, headers } = await service.call('GET', `/render/${await create({})}`)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('etag')).toBeNull()
})

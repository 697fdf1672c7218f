import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../../support/refusal.ts'
import { startService, type TestService } from '../../support/service.ts'
import { siteOf } from './sealed-site.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const newSite = async () => siteOf(service, await service.newProject('Vault'))

const PERIWINKLE = 'Periwinkle'

describe('a page published in Data Mode', () => {
  test('is one file that opens with the key, and nothing else but the index', async () => {
    const site = await newSite()
    const key = await site.keyOf('enable')
    const id = await site.create({
      title: 'Opening hours 🕘',
      slug: 'hours',
      subroute: 'blog',
      description: 'When',
      markdown_content: `---\nauthor:\n  name: Ada\n---\n*${PERIWINKLE}* and [more](/about#us)`,
    })
    const published = await site.publish(id)
    expect(published.status).toBe(200)

    expect(await site.files()).toEqual(['_index.json', 'hours.json'])
    const { published_at: publishedAt, release_id: releaseId, url } = published.body.data
    expect(await site.open(key, 'hours.json')).toEqual({
      project_id: site.project,
      id,
      title: 'Opening hours 🕘',
      slug: 'hours',
      subroute: 'blog',
      type: 'article',
      url: '/blog/hours',
      description: 'When',
      og_image_url: null,
      meta: { title: null, description: null, keywords: null, robots: null },
      config: {},
      markdown_content: `---\nauthor:\n  name: Ada\n---\n*${PERIWINKLE}* and [more](/about#us)`,
      html: expect.stringContaining(`<em>${PERIWINKLE}</em> and <a href="/about/#us">more</a>`),
      published_at: publishedAt,
      release_id: releaseId,
      publish_date: publishedAt,
      author: { name: 'Ada', avatar: null },
    })
    expect(url).toMatch(/\/blog\/hours$/)
    expect(JSON.stringify(await site.read('hours.json'))).not.toContain(PERIWINKLE)
  })

  test.each([
    ['page', { config: { sections: [{ type: 'hero', title: PERIWINKLE }] } }, { markdown_content: null }],
    ['docs', { markdown_content: PERIWINKLE, nav_order: 4 }, { nav_order: 4, parent_page: null }],
    ['item', { config: { price: 5 }, markdown_content: PERIWINKLE }, { config: { price: 5 } }],
  ])('carries what a %s has', async (type, fields, expected) => {
    const site = await newSite()
    const key = await site.keyOf('enable')
    await site.publish(await site.create({ type, slug: 'one', ...fields }))
    const opened = await site.open(key, 'one.json')
    expect(opened).toMatchObject({ type, ...expected })
    expect(opened.html).toContain(PERIWINKLE)
  })

  test('is not uploaded again when nothing has changed, and keeps its release', async () => {
    const site = await newSite()
    await site.keyOf('enable')
    const id = await site.create({ slug: 'same' })
    const first = (await site.publish(id)).body.data
    const [file, index] = [await site.read('same.json'), await site.index()]
    const again = (await site.publish(id)).body.data
    expect(again).toMatchObject({
      changed: false,
      release_id: first.release_id,
      published_at: first.published_at,
    })
    expect([await site.read('same.json'), await site.index()]).toEqual([file, index])
  })

  test('says which release it is of, even if only the index has changed', async () => {
    const site = await newSite()
    const key = await site.keyOf('enable')
    const id = await site.create({ slug: 'badge', type: 'docs' })
    await site.publish(id)
    await site.edit(id, { config: { badge: 'new' } })
    const { release_id: releaseId } = (await site.publish(id)).body.data
    expect(await site.open(key, 'badge.json')).toMatchObject({ release_id: releaseId })
  })

  test('takes its files along when it is unpublished or deleted', async () => {
    const site = await newSite()
    await site.keyOf('enable')
    const [one, two] = [await site.create({ slug: 'one' }), await site.create({ slug: 'two' })]
    await site.publish(one)
    await site.publish(two)
    await site.unpublish(one)
    expect(await site.files()).toEqual(['_index.json', 'two.json'])
    await service.call('DELETE', `/pages/${two}`)
    expect(await site.files()).toEqual(['_index.json'])
    expect((await site.index()).pages).toEqual([])
  })
})

describe('the index', () => {
  test('is never sealed, and says which file and key each page has', async () => {
    const site = await newSite()
    const before = await site.create({ slug: 'before' })
    await site.publish(before)
    await site.keyOf('enable')
    const after = await site.create({ slug: 'after' })
    await site.publish(after)
    const index = await site.index()
    expect(index).toMatchObject({
      hosting_mode: 'data_mode',
      data_mode: { enabled: true, cipher: 'AES-256-GCM' },
    })
    expect(await site.entry(before)).toMatchObject({ file: 'before/index.html', key_id: null })
    expect(await site.entry(after)).toMatchObject({ file: 'after.json', key_id: index.data_mode.key_id })
  })

  test('exists as soon as Data Mode is on', async () => {
    const site = await newSite()
    await site.keyOf('enable')
    expect(await site.index()).toMatchObject({ revision: 1, data_mode: { enabled: true }, pages: [] })
  })

  test('exposes no digest of sealed content', async () => {
    const site = await newSite()
    await site.keyOf('enable')
    const [one, two] = [await site.create({ slug: 'one' }), await site.create({ slug: 'two' })]
    await site.publish(one)
    const { etag } = await site.entry(one)
    await site.edit(one, { title: 'Other' })
    await site.publish(one)
    await site.publish(two)
    expect((await site.entry(one)).etag).not.toBe(etag)
    await site.edit(one, { title: 'A page' })
    await site.publish(one)
    // The first content again, which an observer cannot detect.
    expect((await site.entry(one)).etag).not.toBe(etag)
  })

  test('tells no more than where pages are when it is to be minimal', async () => {
    const site = await newSite()
    await site.keyOf('enable')
    await service.call('PUT', `/projects/${site.project}`, { hosting: { manifest: 'minimal' } })
    const id = await site.create({ slug: 'secret', title: PERIWINKLE, description: PERIWINKLE })
    await site.publish(id)
    expect(JSON.stringify(await site.index())).not.toContain(PERIWINKLE)
    expect(await site.entry(id)).toMatchObject({ slug: 'secret', url: '/secret', file: 'secret.json' })
  })
})

describe('the name of a file', () => {
  test('is the slug, else has the subroute in front, for as long as the holder is published', async () => {
    const site = await newSite()
    const key = await site.keyOf('enable')
    const blog = await site.create({ slug: 'same', subroute: 'blog' })
    const docs = await site.create({ slug: 'same', subroute: 'docs/deep' })
    const root = await site.create({ slug: 'same' })
    for (const id of [blog, docs, root]) await site.publish(id)
    const names = async () => Promise.all([blog, docs, root].map(async (id) => (await site.entry(id))?.file))
    expect(await names()).toEqual(['same.json', 'docs/deep/same.json', '_/same.json'])

    await site.edit(blog, { title: 'Edited' })
    await site.publish(blog)
    await site.edit(root, { title: 'Edited too' })
    await site.publish(root)
    expect(await names()).toEqual(['same.json', 'docs/deep/same.json', '_/same.json'])
    for (const [id, file] of [
      [blog, 'same.json'],
      [docs, 'docs/deep/same.json'],
      [root, '_/same.json'],
    ] as const)
      expect(await site.open(key, file)).toMatchObject({ id })

    await site.unpublish(blog)
    await site.edit(root, { title: 'Still here' })
    await site.publish(root)
    const late = await site.create({ slug: 'same', subroute: 'late' })
    await site.publish(late)
    expect((await site.entry(root)).file).toBe('_/same.json')
    expect((await site.entry(late)).file).toBe('same.json')
  })

  test('follows a new slug, and the former file goes', async () => {
    const site = await newSite()
    await site.keyOf('enable')
    const id = await site.create({ slug: 'former' })
    await site.publish(id)
    await site.edit(id, { slug: 'latter' })
    await site.publish(id)
    expect(await site.files()).toEqual(['_index.json', 'latter.json'])
  })

  test('does not let two pages be at one path', async () => {
    const site = await newSite()
    await service.call('PUT', `/v1/projects/${site.project}/settings`, { site_routes: { docs: '/help' } })
    await site.keyOf('enable')
    await site.publish(await site.create({ slug: 'one', subroute: 'help' }))
    const other = await site.create({ slug: 'one', subroute: 'docs' })
    expectRefusal(await site.publish(other), 'conflict', '/help/one')
  })
})

describe('the navigation', () => {
  test('is sealed like a page, and has no page of its own', async () => {
    const site = await newSite()
    const key = await site.keyOf('enable')
    await site.publish(
      await site.create({ slug: 'install', subroute: 'docs', type: 'docs', title: PERIWINKLE }),
    )
    expect(await site.files()).toEqual(['_index.json', '_nav/docs.json', 'install.json'])
    expect(JSON.stringify(await site.read('_nav/docs.json'))).not.toContain(PERIWINKLE)
    expect(await site.open(key, '_nav/docs.json')).toMatchObject({
      subroute: 'docs',
      items: [{ title: PERIWINKLE, path: '/docs/install' }],
    })
  })
})

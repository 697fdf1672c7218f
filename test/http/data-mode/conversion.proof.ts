import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SITE_ICON_KEYS } from '../../../src/domain/site-icons.ts'
import { finishedJob } from '../../support/finished-job.ts'
import { startService, type TestService } from '../../support/service.ts'
import { siteOf } from './sealed-site.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const newSite = async () => siteOf(service, await service.newProject('House'))

/** Files of every plain site. */
const SITE_FILES = [
  ...['404.html', '_index.json', 'llms.txt', 'robots.txt', 'sitemap.xml'],
  ...SITE_ICON_KEYS,
].toSorted()

describe('a site that was live before Data Mode was on', () => {
  test('stays as it was, and loses its own files with the first encrypted page, and each page its own', async () => {
    const site = await newSite()
    const [one, two] = [await site.create({ slug: 'one' }), await site.create({ slug: 'two' })]
    for (const id of [one, two]) await site.publish(id)
    const before = await site.files()
    expect(before).toContain('404.html')
    expect((await site.settings()).data_mode).toEqual({ enabled: false, cdn_base: null })

    const key = await site.keyOf('enable')
    expect(await site.files()).toEqual(before)
    expect((await site.settings()).data_mode).toMatchObject({ enabled: true, plaintext_pages: 2 })

    await site.publish(one)
    expect(await site.files()).toEqual(['_index.json', 'one.json', 'two/index.html', 'two/index.md'])
    expect((await site.settings()).data_mode.plaintext_pages).toBe(1)
    expect(await site.open(key, 'one.json')).toMatchObject({ id: one })
    expect(await site.entry(two)).toMatchObject({ file: 'two/index.html', key_id: null })

    await site.publish(two)
    expect(await site.files()).toEqual(['_index.json', 'one.json', 'two.json'])
    expect((await site.settings()).data_mode.plaintext_pages).toBe(0)
  })

  test('has stale pages until they are encrypted', async () => {
    const site = await newSite()
    const id = await site.create({ slug: 'one', type: 'docs' })
    await site.publish(id)
    await site.keyOf('enable')
    const stale = async () => (await service.call('GET', `/pages/${id}`)).body.data.stale
    expect(await stale()).toEqual(['hosting'])
    await site.publish(id)
    expect(await stale()).toEqual([])
  })

  test('is encrypted by publishing all live pages, without the edits of drafts', async () => {
    const site = await newSite()
    const docs = await site.create({ slug: 'install', subroute: 'docs', type: 'docs' })
    const [plain, draft] = [await site.create({ slug: 'plain' }), await site.create({ slug: 'draft' })]
    for (const id of [docs, plain]) await site.publish(id)
    await site.edit(plain, { markdown_content: 'As it is now.' })
    const key = await site.keyOf('enable')

    const { body } = await service.call('POST', `/projects/${site.project}/publish`, { pages: 'all' })
    expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded', total: 2 })
    expect(await site.files()).toEqual(['_index.json', '_nav/docs.json', 'install.json', 'plain.json'])
    expect((await site.open(key, 'plain.json'))['html']).toContain('As it is now.')
    expect((await site.settings()).data_mode.plaintext_pages).toBe(0)
    expect((await service.call('GET', `/pages/${draft}`)).body.data.status).toBe('draft')
  })

  test('is re-encrypted by a new key, from the live pages and not from drafts', async () => {
    const site = await newSite()
    const docs = await site.create({ slug: 'install', subroute: 'docs', type: 'docs', title: 'Live title' })
    const plain = await site.create({ slug: 'plain', markdown_content: 'As it was published.' })
    const published = [(await site.publish(docs)).body.data, (await site.publish(plain)).body.data]
    await site.edit(plain, { markdown_content: 'A draft since then.' })
    await site.keyOf('enable')

    const key = await site.keyOf('regenerate-key')
    expect(await site.files()).toEqual(['_index.json', '_nav/docs.json', 'install.json', 'plain.json'])
    const opened = [await site.open(key, 'install.json'), await site.open(key, 'plain.json')]
    expect(opened.map(({ release_id: release }) => release)).toEqual(published.map((page) => page.release_id))
    expect(opened.map((page) => page.published_at)).toEqual(published.map((page) => page.published_at))
    expect(opened[1]?.html).toContain('As it was published.')
    expect((await site.settings()).data_mode.plaintext_pages).toBe(0)
    const index = await site.index()
    for (const { key_id: keyId } of index.pages) expect(keyId).toBe(index.data_mode.key_id)
    expect((await service.call('GET', `/pages/${plain}`)).body.data.stale).toEqual(['content'])
  })
})

describe('Data Mode switched off', () => {
  test('leaves the encrypted files and their key, and pages are plain when they are published again', async () => {
    const site = await newSite()
    await service.call('PUT', `/projects/${site.project}`, {
      hosting: { mode: 'rewrite', base_path: '/help' },
    })
    const key = await site.keyOf('enable')
    const [one, two] = [await site.create({ slug: 'one' }), await site.create({ slug: 'two' })]
    for (const id of [one, two]) await site.publish(id)
    const sealed = await site.read('one.json')

    expect((await site.act('disable')).body.data).toEqual({
      project_id: site.project,
      data_mode: { enabled: false, cdn_base: null },
    })
    expect((await service.call('GET', `/projects/${site.project}`)).body.data.hosting_mode).toBe('rewrite')
    expect(await site.index()).toMatchObject({
      hosting_mode: 'rewrite',
      data_mode: { enabled: false, cipher: null, key_id: null },
    })
    expect(await site.entry(one)).toMatchObject({ file: 'one.json', key_id: 'k1' })

    await site.publish(one)
    expect(await site.files()).toEqual(
      [
        ...SITE_FILES,
        '_feed.json',
        'feed.xml',
        'one.json',
        'one/index.html',
        'one/index.md',
        'two.json',
      ].sort(),
    )
    expect(await site.read('one.json')).toEqual(sealed)
    expect(await site.open(key, 'one.json')).toMatchObject({ id: one })
    expect(await site.entry(one)).toMatchObject({ file: 'one/index.html', key_id: null })
  })

  test('lets frozen files go with their page', async () => {
    const site = await newSite()
    await site.keyOf('enable')
    const [one, two] = [await site.create({ slug: 'one' }), await site.create({ slug: 'two' })]
    for (const id of [one, two]) await site.publish(id)
    await site.act('disable')
    await site.publish(one)
    await site.unpublish(one)
    await service.call('DELETE', `/pages/${two}`)
    expect(await site.files()).toEqual([...SITE_FILES, '_feed.json', 'feed.xml'].sort())
  })

  test('has a new key once it is on again, under which frozen files come too when it is regenerated', async () => {
    const site = await newSite()
    const first = await site.keyOf('enable')
    const [frozen, both] = [await site.create({ slug: 'frozen' }), await site.create({ slug: 'both' })]
    for (const id of [frozen, both]) await site.publish(id)
    await site.act('disable')
    await site.edit(both, { slug: 'moved' })
    await site.publish(both)
    const second = await site.keyOf('enable')
    expect(second).not.toBe(first)
    expect(await site.open(first, 'frozen.json')).toMatchObject({ id: frozen })

    const third = await site.keyOf('regenerate-key')
    expect(await site.files()).toEqual(['_index.json', 'frozen.json', 'moved.json'])
    expect(await site.open(third, 'frozen.json')).toMatchObject({ id: frozen })
    expect(await site.open(third, 'moved.json')).toMatchObject({ id: both, slug: 'moved' })
    for (const former of [first, second])
      for (const file of ['frozen.json', 'moved.json'])
        await expect(site.open(former, file)).rejects.toThrow()
  })
})

test('a new key changes no content, and the previous key decrypts nothing', async () => {
  const site = await newSite()
  const former = await site.keyOf('enable')
  const ids = await Promise.all(
    ['a', 'b', 'c'].map((slug) => site.create({ slug, subroute: 'docs', type: 'docs' })),
  )
  for (const id of ids) await site.publish(id)
  const files = ['a.json', 'b.json', 'c.json', '_nav/docs.json']
  const before = await Promise.all(files.map((file) => site.open(former, file)))
  const index = await site.index()

  const key = await site.keyOf('regenerate-key')
  expect(await Promise.all(files.map((file) => site.open(key, file)))).toEqual(before)
  for (const file of files) await expect(site.open(former, file)).rejects.toThrow()
  const after = await site.index()
  expect(after).toEqual({
    ...index,
    revision: index.revision + 1,
    data_mode: { ...index.data_mode, key_id: 'k2' },
    pages: index.pages.map((page: object) => ({ ...page, key_id: 'k2' })),
  })
  // An unchanged page is not published again.
  expect((await site.publish(ids[0] ?? '')).body.data.changed).toBe(false)
})

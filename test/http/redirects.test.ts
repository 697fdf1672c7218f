import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHeldStorage } from '../support/held-storage.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { openServiceDatabase } from '../support/test-database.ts'
import { siteOf } from './data-mode/sealed-site.ts'

const fault = { on: false }
const storage = createMemoryStorage({
  failOn: (operation, key) =>
    fault.on && operation === 'put' && key.endsWith('_index.json') ? new Error('Out of order.') : null,
})
const held = createHeldStorage(storage)
let service: TestService
let project: string

beforeAll(async () => {
  service = await startService({ storage: held.storage })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
})

const create = async (fields: object = {}): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
const releasesOf = async (id: string): Promise<number> =>
  (await service.call('GET', `/pages/${id}/releases`)).body.meta.total
const visit = (path: string) => service.call('GET', `/public/${project}${path}`, undefined, { key: null })
const fileAt = async (path: string) => Buffer.from((await storage.get(`${project}/${path}`)) ?? []).toString()
const files = async () =>
  (await storage.list(`${project}/`))
    .map((key) => key.slice(project.length + 1))
    .filter((key) => key.endsWith('index.html') && !key.startsWith('_'))

/** Live at its new slug. */
async function move(id: string, slug: string, subroute?: string): Promise<void> {
  await service.call('PUT', `/pages/${id}`, { slug, ...(subroute !== undefined && { subroute }) })
  expect((await publish(id)).status).toBe(200)
}

describe('a page that is published at another path', () => {
  test('leaves a redirect at the old one, for visitors of Quoin and of a plain folder', async () => {
    const id = await create({ slug: 'old-name', subroute: 'blog' })
    await publish(id)
    await move(id, 'new-name', 'notes')

    const answer = await visit('/blog/old-name/?from=mail')
    expect(answer.status).toBe(308)
    expect(answer.headers.get('location')).toBe('../../notes/new-name/?from=mail')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect((await visit('/blog/old-name/index.html')).status).toBe(308)
    expect((await fetch(`${service.url}/public/${project}/blog/old-name`)).url).toBe(
      `${service.url}/public/${project}/notes/new-name/`,
    )

    const html = await fileAt('blog/old-name/index.html')
    expect(html).toContain('<meta http-equiv="refresh" content="0; url=../../notes/new-name/">')
    expect(html).toContain('<a href="../../notes/new-name/">')
    expect(html).toContain(`<link rel="canonical" href="${service.url}/public/${project}/notes/new-name/">`)
    expect(html).toContain('noindex')
    const { pages } = (await visit('/_index.json')).body
    expect(pages.map(({ file }: { file: string }) => file)).toEqual(['notes/new-name/index.html'])
  })

  test('has each old path lead straight to the newest, and never to itself', async () => {
    const id = await create({ slug: 'one' })
    await publish(id)
    await move(id, 'two')
    await move(id, 'three')
    for (const old of ['one', 'two']) {
      expect((await visit(`/${old}/`)).headers.get('location')).toBe('../three/')
    }
    await move(id, 'one')
    expect((await visit('/one/')).status).toBe(200)
    for (const old of ['two', 'three']) {
      expect((await visit(`/${old}/`)).headers.get('location')).toBe('../one/')
    }
  })

  test('keeps the five newest of its old paths', async () => {
    const id = await create({ slug: 'name-0' })
    await publish(id)
    for (const n of [1, 2, 3, 4, 5, 6]) await move(id, `name-${n}`)
    expect(await files()).toEqual([1, 2, 3, 4, 5, 6].map((n) => `name-${n}/index.html`))
  })

  test('loses its old path to a page that is published there', async () => {
    const first = await create({ slug: 'place' })
    await publish(first)
    await move(first, 'aside')
    const second = await create({ slug: 'place', title: 'Second' })
    expect((await publish(second)).status).toBe(200)
    expect((await visit('/place/')).body).toContain('Second')
    // Whatever becomes of the first, the second stays.
    await move(first, 'further')
    expect((await visit('/place/')).body).toContain('Second')
    await service.call('POST', `/pages/${first}/unpublish`)
    expect(await files()).toEqual(['place/index.html'])
  })

  test('takes its old path back together with others that move', async () => {
    const [one, two] = [await create({ slug: 'left' }), await create({ slug: 'right' })]
    await publish(one)
    await publish(two)
    await move(one, 'aside')
    await service.call('PUT', `/pages/${two}`, { slug: 'left' })
    await service.call('PUT', `/pages/${one}`, { slug: 'right' })
    // Both are accepted while a third is on its way, first the one that makes way.
    const third = held.hold('third/index.html')
    const leading = publish(await create({ slug: 'third' }))
    await third.reached
    const second = publish(two)
    await expect.poll(() => releasesOf(two)).toBe(2)
    const first = publish(one)
    await expect.poll(() => releasesOf(one)).toBe(3)
    third.open()
    const answers = await Promise.all([leading, second, first])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await files()).toEqual([
      'aside/index.html',
      'left/index.html',
      'right/index.html',
      'third/index.html',
    ])
    expect((await visit('/aside/')).headers.get('location')).toBe('../right/')
  })

  test.each(['unpublish', 'delete'])('takes its redirects along on %s', async (how) => {
    const id = await create({ slug: 'one', subroute: 'docs', type: 'docs' })
    await publish(id)
    await move(id, 'two')
    if (how === 'unpublish') await service.call('POST', `/pages/${id}/unpublish`)
    else await service.call('DELETE', `/pages/${id}`)
    expect(await files()).toEqual([])
    expect((await visit('/docs/one/')).status).toBe(404)
  })

  test('is where it was, and so is every redirect, when the store refuses the move', async () => {
    const id = await create({ slug: 'one' })
    await publish(id)
    await move(id, 'two')
    const before = [await fileAt('one/index.html'), await fileAt('two/index.html')]
    await service.call('PUT', `/pages/${id}`, { slug: 'three' })
    fault.on = true
    expect((await publish(id)).status).toBe(500)
    fault.on = false
    await expect.poll(files).toEqual(['one/index.html', 'two/index.html'])
    await expect
      .poll(async () => [await fileAt('one/index.html'), await fileAt('two/index.html')])
      .toEqual(before)
  })

  test('is shown with its redirect by a dry run', async () => {
    const id = await create({ slug: 'one' })
    await publish(id)
    await service.call('PUT', `/pages/${id}`, { slug: 'two' })
    const { objects } = (await service.call('POST', `/pages/${id}/publish?dry_run=true`)).body.data
    expect(objects).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: 'one/index.html', action: 'put', reason: 'changed' }),
        expect.objectContaining({ key: 'two/index.html', action: 'put', reason: 'new' }),
      ]),
    )
  })
})

describe('a page with paths that are to lead to it', () => {
  const named = (...paths: readonly unknown[]) => ({ config: { redirect_from: paths } })
  const outcome = async (id: string) => (await publish(id)).body.data
  const warnings = async (id: string) => (await outcome(id)).warnings ?? []

  test('is found at them, by visitors of Quoin and of a plain folder', async () => {
    const id = await create({ slug: 'here', subroute: 'docs', ...named('/old/place/', '/2019/post.html') })
    expect(await warnings(id)).toEqual([])
    for (const path of ['/old/place/?from=mail', '/old/place/index.html?from=mail'])
      expect((await visit(path)).headers.get('location')).toBe('../../docs/here/?from=mail')
    expect((await visit('/2019/post.html')).headers.get('location')).toBe('../docs/here/')
    for (const path of ['/old/place', '/2019/post.html', '/2019/post.html?a=b'])
      expect((await fetch(`${service.url}/public/${project}${path}`)).url).toContain('/docs/here/')

    const html = await fileAt('2019/post.html')
    expect(html).toContain('<meta http-equiv="refresh" content="0; url=../docs/here/">')
    expect(html).toContain(`<link rel="canonical" href="${service.url}/public/${project}/docs/here/">`)
    expect((await visit('/sitemap.xml')).body).not.toContain('old/place')
  })

  test('follows when it moves, and keeps the path it left besides', async () => {
    const id = await create({ slug: 'one', ...named('/first.html') })
    await publish(id)
    await move(id, 'two', 'docs')
    for (const path of ['/first.html', '/one/'])
      expect((await visit(path)).headers.get('location')).toMatch(/^(\.\/|\.\.\/)?docs\/two\/$/)
    await service.call('PUT', `/pages/${id}`, { slug: 'three', ...named('/docs/two') })
    expect(await warnings(id)).toEqual([])
    expect((await visit('/first.html')).status).toBe(404)
    expect((await visit('/docs/two/')).headers.get('location')).toBe('../../docs/three/')
  })

  test('is changed by another list alone, and by nothing else', async () => {
    const id = await create({ slug: 'here', ...named('/a', '/b') })
    const { release_id: first } = await outcome(id)
    expect((await outcome(id)).release_id).toBe(first)
    await service.call('PUT', `/pages/${id}`, named('/b', '/c'))
    const { release_id: second } = await outcome(id)
    expect(second).not.toBe(first)
    expect(await files()).toEqual(['b/index.html', 'c/index.html', 'here/index.html'])
    await service.call('PUT', `/pages/${id}`, { config: {} })
    expect((await outcome(id)).release_id).not.toBe(second)
    expect(await files()).toEqual(['here/index.html'])
  })

  test('may write them in its front matter', async () => {
    const markdown = '---\nredirect_from: /before\n---\n\nText.'
    await publish(await create({ slug: 'here', type: 'docs', markdown_content: markdown }))
    expect((await visit('/before/')).headers.get('location')).toBe('../here/')
  })

  test('yields to another page, and the publish warns about it', async () => {
    const id = await create({ slug: 'here', ...named('/place', '/also') })
    await publish(id)
    const other = await create({ slug: 'place', title: 'Other' })
    expect((await publish(other)).status).toBe(200)
    expect((await visit('/place/')).body).toContain('Other')
    expect((await visit('/also/')).status).toBe(308)
    const [warning] = await warnings(id)
    expect(warning).toEqual({
      code: 'QN-UNUSED-REDIRECT',
      at: 'redirect_from[0]',
      message: expect.stringContaining('/place'),
    })
    const refused = await service.call('POST', `/pages/${id}/publish`, { strict: true })
    expect(refused.status).toBe(422)
    expect(refused.body.message).toContain('/place')
    // A path that is free again is claimed by the next publish.
    await service.call('DELETE', `/pages/${other}`)
    expect(await warnings(id)).toEqual([])
    expect((await visit('/place/')).status).toBe(308)
  })

  test('does not take a path from another that leads there already', async () => {
    const first = await create({ slug: 'first', ...named('/place') })
    const second = await create({ slug: 'second', ...named('/place') })
    expect(await warnings(first)).toEqual([])
    expect(await warnings(second)).toHaveLength(1)
    expect((await visit('/place/')).headers.get('location')).toBe('../first/')
    await service.call('POST', `/pages/${first}/unpublish`)
    expect(await warnings(second)).toEqual([])
    expect((await visit('/place/')).headers.get('location')).toBe('../second/')
  })

  test('comes to lie there itself only if its path is another', async () => {
    const [one, two] = [await create({ slug: 'one', ...named('/two') }), await create({ slug: 'two' })]
    await service.call('POST', `/projects/${project}/publish`, { pages: [one, two] })
    await expect.poll(async () => (await visit('/two/')).status).toBe(200)
    await expect.poll(async () => (await visit('/one/')).status).toBe(200)
    const self = await create({ slug: 'self', ...named('/self') })
    expect(await warnings(self)).toEqual([])
    expect((await visit('/self/')).status).toBe(200)
  })

  test.each([
    ['no path', 'https://example.org/a'],
    ['one above the site', '/../a'],
    ['a file that Quoin writes', '/sitemap.xml'],
    ['a folder that Quoin writes', '/_assets/a'],
    ['the 404 page', '/404.html'],
    ['the front page', '/'],
    ['a query', '/about?page=2'],
    ['no text', 5],
  ])('warns about %s', async (_, path) => {
    const id = await create({ slug: 'here', ...named(path, '/fine') })
    expect(await warnings(id)).toEqual([
      {
        code: 'QN-UNUSED-REDIRECT',
        at: 'redirect_from[0]',
        message: expect.stringContaining(JSON.stringify(path).replaceAll('"', '')),
      },
    ])
    expect((await visit('/fine/')).status).toBe(308)
  })

  test('has at most twenty', async () => {
    const id = await create({ slug: 'here', ...named(...Array.from({ length: 22 }, (_, n) => `/old-${n}`)) })
    expect(await warnings(id)).toHaveLength(2)
    expect(await files()).toHaveLength(21)
  })

  test('takes the place of a listing, and gives it back', async () => {
    await publish(await create({ slug: 'news', subroute: 'blog', type: 'article' }))
    expect((await visit('/blog/')).status).toBe(200)
    const id = await create({ slug: 'here', ...named('/blog') })
    expect(await warnings(id)).toEqual([])
    expect((await visit('/blog/')).headers.get('location')).toBe('../here/')
    await publish(await create({ slug: 'more', subroute: 'blog', type: 'article' }))
    expect((await visit('/blog/')).headers.get('location')).toBe('../here/')
    await service.call('PUT', `/pages/${id}`, { config: {} })
    await publish(id)
    expect((await visit('/blog/')).status).toBe(200)
  })

  test('is where it was, with what led there, when the store refuses a change of them', async () => {
    const id = await create({ slug: 'here', ...named('/a') })
    await publish(id)
    await service.call('PUT', `/pages/${id}`, { title: 'Else', ...named('/b') })
    fault.on = true
    expect((await publish(id)).status).toBe(500)
    fault.on = false
    await expect.poll(files).toEqual(['a/index.html', 'here/index.html'])
    expect((await visit('/a/')).status).toBe(308)
    expect((await publish(id)).status).toBe(200)
    expect(await files()).toEqual(['b/index.html', 'here/index.html'])
  })

  test('is shown with them by a dry run, which claims nothing', async () => {
    const id = await create({ slug: 'here', ...named('/a') })
    const { objects } = (await service.call('POST', `/pages/${id}/publish?dry_run=true`)).body.data
    expect(objects).toContainEqual(
      expect.objectContaining({ key: 'a/index.html', action: 'put', reason: 'new' }),
    )
    expect((await publish(await create({ slug: 'a' }))).status).toBe(200)
    const again = (await service.call('POST', `/pages/${id}/publish?dry_run=true`)).body.data
    expect(again.warnings).toHaveLength(1)
  })

  test('has none where its content is sealed', async () => {
    await siteOf(service, project).keyOf('enable')
    const id = await create({ slug: 'here', ...named('/a', 'no path') })
    expect(await warnings(id)).toEqual([])
    expect(await storage.list(`${project}/a/`)).toEqual([])
  })
})

describe('publishing one page', () => {
  /** Creates this many pages. */
  async function withLivePages(count: number): Promise<void> {
    const id = await create({ slug: 'seed', subroute: 'docs', type: 'docs' })
    await publish(id)
    const { writer, reader } = await openServiceDatabase(service.data)
    const seed = await writer('live_pages')
      .where({ slug: 'seed', project_id: project.slice(5) })
      .first()
    const rows = Array.from({ length: count - 1 }, (_, i) => {
      const pageId = `seed${String(i).padStart(6, 'x')}${project.slice(-6)}`
      const text = (json: string) => json.replaceAll(seed.page_id, pageId).replaceAll('seed"', `seed-${i}"`)
      return {
        ...seed,
        page_id: pageId,
        slug: `seed-${i}`,
        facts: text(seed.facts),
        index_line: text(seed.index_line),
      }
    })
    await writer.batchInsert('live_pages', rows, 100)
    // As another instance would that published them.
    await writer('live_sites').where({ project_id: seed.project_id }).increment('revision', 1)
    await Promise.all([writer.destroy(), reader.destroy()])
  }

  /** Keys written or deleted by a publish. The search index is not among them: a job writes it later, once for many publishes. */
  async function touched(id: string): Promise<readonly string[]> {
    storage.log.length = 0
    expect((await publish(id)).status).toBe(200)
    return storage.log.filter(
      (line) =>
        /^(put|delete)/.test(line) && line.includes(`${project}/`) && !/\/(_search|llms-full)/.test(line),
    )
  }

  test.each([
    [10, 6],
    [1000, 2],
  ])('among %i touches a few objects, and a few more after a rename', async (count, renames) => {
    await withLivePages(count)
    for (const type of ['article', 'page', 'item'])
      expect((await touched(await create({ slug: type, type }))).length).toBeLessThanOrEqual(12)
    const id = await create({ slug: 'name-0', subroute: 'docs', type: 'docs' })
    expect((await touched(id)).length).toBeLessThanOrEqual(12)
    expect((await visit('/_index.json')).body.pages).toHaveLength(count + 4)
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Edited.' })
    expect((await touched(id)).length).toBeLessThanOrEqual(12)
    for (let n = 1; n <= renames; n++) {
      await service.call('PUT', `/pages/${id}`, { slug: `name-${n}`, subroute: `docs-${n}` })
      expect((await touched(id)).length).toBeLessThanOrEqual(18)
    }
  })
})

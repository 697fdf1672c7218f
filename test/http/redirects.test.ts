import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
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
  project = await service.newProject()
})

const create = async (fields: object = {}): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
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
    const answers = await Promise.all([publish(two), publish(one)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await files()).toEqual(['aside/index.html', 'left/index.html', 'right/index.html'])
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

describe('publishing one page', () => {
  /** What lies there already, made as many as are asked for. */
  async function withLivePages(count: number): Promise<void> {
    const id = await create({ slug: 'seed', subroute: 'docs', type: 'docs' })
    await publish(id)
    const { writer, reader } = openSqlite(join(service.data, 'quoin.db'))
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
        /^(put|delete)/.test(line) && line.includes(`${project}/`) && !line.includes(`${project}/_search`),
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

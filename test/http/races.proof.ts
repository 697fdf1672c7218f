import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LONG_FORM, some } from '../support/long-form.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

const storage = createMemoryStorage()
let service: TestService
let project: string

beforeAll(async () => {
  service = await startService({ storage })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
})

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
const call = (method: string, path: string, body?: object) => service.call(method, path, body)
const create = async (fields: object): Promise<string> =>
  (await call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = (id: string) => call('POST', `/pages/${id}/publish`)
const unpublish = (id: string) => call('POST', `/pages/${id}/unpublish`)
const rename = (id: string, slug: string) => call('PUT', `/pages/${id}`, { slug })

function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The live pages by file, after checking that the API, the manifest and the store agree. */
async function expectOneTruth(): Promise<Record<string, string>> {
  const { data } = (await call('GET', `/pages?project_id=${project}&status=published&limit=100`)).body
  const manifest = await service.call('GET', `/public/${project}/_index.json`)
  const listed: readonly { id: string; file: string }[] = manifest.status === 404 ? [] : manifest.body.pages
  const files = (await storage.list(`${project}/`))
    .map((key) => key.slice(project.length + 1))
    .filter((key) => /^[^_]*index\.html$/.test(key))
  const pageFiles = []
  for (const file of files) if (!(await isRedirect(file))) pageFiles.push(file)

  expect(listed.map(({ id }) => id).sort()).toEqual(data.map(({ id }: { id: string }) => id).sort())
  expect(listed.map(({ file }) => file).sort()).toEqual(pageFiles)
  return Object.fromEntries(listed.map(({ file, id }) => [file, id]))
}

/** The redirect document that a moved page leaves at its previous path. */
async function isRedirect(file: string): Promise<boolean> {
  const body = await storage.get(`${project}/${file}`)
  return Buffer.from(body ?? []).includes('http-equiv="refresh"')
}

describe('two updates made for one version', () => {
  test.each([
    [
      'of a page',
      async () => `/pages/${await create({ slug: 'contested' })}`,
      { title: 'One' },
      { title: 'Two' },
    ],
    ['of a project', async () => `/projects/${project}`, { name: 'One' }, { name: 'Two' }],
    [
      'of settings',
      async () => `/projects/${project}/settings`,
      { footer_text: 'One' },
      { footer_text: 'Two' },
    ],
  ])('%s: one succeeds, the other is refused and writes nothing', async (_, make, one, two) => {
    const path = await make()
    const tag = (await call('GET', path)).headers.get('etag') ?? expect.unreachable()
    const put = (body: object) => service.call('PUT', path, body, { headers: { 'If-Match': tag } })
    const answers = await Promise.all([one, two].map(put))
    expect(tally(answers)).toEqual({ 200: 1, 412: 1 })
    const [winner] = [one, two].filter((_, i) => answers[i]?.status === 200)
    const [value] = Object.values(winner ?? {})
    expect(Object.values((await call('GET', path)).body.data)).toContain(value)
  })

  test.runIf(LONG_FORM)('on both surfaces are held to the same version', async () => {
    const id = await create({ slug: 'contested' })
    const tag = (await call('GET', `/v1/pages/${id}`)).headers.get('etag') ?? expect.unreachable()
    const answers = await Promise.all(
      times(10, (i) =>
        service.call(
          'PUT',
          `${i % 2 === 0 ? '' : '/v1'}/pages/${id}`,
          { title: `Writer ${i}` },
          {
            headers: { 'If-Match': tag },
          },
        ),
      ),
    )
    expect(tally(answers)).toEqual({ 200: 1, 412: 9 })
  })
})

describe('publishes at once', () => {
  test.runIf(LONG_FORM)('take 40 pages live in fewer changes of the site than there are pages', async () => {
    const ids = await Promise.all(
      times(40, (i) => create({ slug: `page-${i}`, type: i % 2 ? 'docs' : 'article' })),
    )
    const answers = await Promise.all(ids.map(publish))
    expect(tally(answers)).toEqual({ 200: 40 })
    expect(new Set(answers.map(({ body }) => body.data.release_id)).size).toBe(40)
    const live = await expectOneTruth()
    expect(Object.values(live).sort()).toEqual([...ids].sort())
    const { revision } = (await call('GET', `/public/${project}/_index.json`)).body
    expect(revision).toBeLessThan(40)
    const nav = (await call('GET', `/public/${project}/_nav/_.json`)).body
    expect(nav.items).toHaveLength(20)
  })

  test('make one release of one page, or repeat it', async () => {
    const id = await create({ slug: 'again' })
    const answers = await Promise.all(times(20, () => publish(id)))
    expect(tally(answers)).toEqual({ 200: 20 })
    expect(new Set(answers.map(({ body }) => body.data.release_id)).size).toBe(1)
    expect(answers.filter(({ body }) => body.data.changed !== false)).toHaveLength(1)
    expect((await call('GET', `/public/${project}/_index.json`)).body.revision).toBe(1)
  })

  test('end in one truth beside as many unpublishes of one page', async () => {
    const id = await create({ slug: 'flicker' })
    const answers = await Promise.all(times(60, (i) => (i % 2 === 0 ? publish(id) : unpublish(id))))
    const publishes = answers.filter((_, i) => i % 2 === 0)
    const unpublishes = answers.filter((_, i) => i % 2 === 1)
    expect(tally(publishes)).toEqual({ 200: 30 })
    expect(unpublishes.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const live = await expectOneTruth()
    const { status } = (await call('GET', `/pages/${id}`)).body.data
    expect(status).toBe(live['flicker/index.html'] === undefined ? 'draft' : 'published')
    expect((await call('GET', `/public/${project}/flicker/`)).status).toBe(status === 'draft' ? 404 : 200)
  })

  test.runIf(LONG_FORM)(
    'with an edit each leave the page as one of the edits, live and stored alike',
    async () => {
      const id = await create({ slug: 'edited' })
      const answers = await Promise.all(
        times(20, (i) =>
          call('PUT', `/pages/${id}`, { markdown_content: `Version ${i}.`, status: 'published' }),
        ),
      )
      expect(tally(answers)).toEqual({ 200: 20 })
      const page = (await call('GET', `/pages/${id}`)).body.data
      expect(page).toMatchObject({ status: 'published', has_unpublished_changes: false, stale: [] })
      expect((await call('GET', `/public/${project}/edited/`)).body).toContain(page.markdown_content)
      await expectOneTruth()
    },
  )
})

describe('two pages that swap their slugs', () => {
  test.runIf(LONG_FORM)('never both own one path, whatever is published meanwhile', async () => {
    const one = await create({ slug: 'left' })
    const two = await create({ slug: 'right' })
    await Promise.all([one, two].map(publish))
    for (const round of times(6, (i) => i)) {
      const [left, right] = round % 2 === 0 ? ['right', 'left'] : ['left', 'right']
      const answers = await Promise.all([
        rename(one, 'aside'),
        rename(two, right),
        publish(one),
        rename(one, left),
        publish(two),
        publish(one),
        publish(two),
      ])
      expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([])
      await expectOneTruth()
    }
  })

  test('swap for good once each has left its path', async () => {
    const one = await create({ slug: 'left' })
    const two = await create({ slug: 'right' })
    await Promise.all([one, two].map(publish))
    await rename(one, 'aside')
    await rename(two, 'left')
    await rename(one, 'right')
    expect(tally(await Promise.all([one, two].map(publish)))).toEqual({ 400: 2 })
    await unpublish(one)
    // One after the other: the path of the second is free once the first has moved.
    for (const id of [two, one]) expect((await publish(id)).status).toBe(200)
    expect(await expectOneTruth()).toEqual({ 'left/index.html': two, 'right/index.html': one })
  })

  test('lose the edit of one when both are to lie on one path, and the other goes live', async () => {
    const folder = await create({ slug: 'index', subroute: 'shop' })
    const pages = await Promise.all(times(8, (i) => create({ slug: `shop-${i}` })))
    const answers = await Promise.all([
      call('PUT', `/pages/${folder}`, { title: 'Folder', status: 'published' }),
      ...pages.map((id) => call('PUT', `/pages/${id}`, { slug: 'shop', title: 'Page', status: 'published' })),
    ])
    expect(tally(answers)).toEqual({ 200: 1, 400: 8 })
    const live = await expectOneTruth()
    expect(Object.keys(live)).toEqual(['shop/index.html'])
    for (const id of [folder, ...pages]) {
      const { status, page_name } = (await call('GET', `/pages/${id}`)).body.data
      expect([status, page_name]).toEqual(
        live['shop/index.html'] === id
          ? ['published', id === folder ? 'Folder' : 'Page']
          : ['draft', 'A page'],
      )
    }
  })
})

describe('a project that is archived while it is published to', () => {
  test('takes each publish wholly or refuses it, and nothing afterwards', async () => {
    const ids = await Promise.all(times(20, (i) => create({ slug: `page-${i}` })))
    const [archived, ...answers] = await Promise.all([
      call('PUT', `/projects/${project}`, { status: 'archived' }),
      ...ids.map(publish),
    ])
    expect(archived?.status).toBe(200)
    expect(answers.filter(({ status }) => status !== 200 && status !== 403)).toEqual([])
    const live = Object.values(await expectOneTruth())
    expect(live.sort()).toEqual(ids.filter((_, i) => answers[i]?.status === 200).sort())
    expect((await publish(ids[0] ?? '')).status).toBe(403)
    expect(Object.values(await expectOneTruth()).sort()).toEqual(live)
  })

  test.runIf(LONG_FORM)('leaves nothing behind when it is deleted too', async () => {
    const ids = await Promise.all(times(10, (i) => create({ slug: `page-${i}` })))
    const publishing = Promise.all(ids.map(publish))
    await call('PUT', `/projects/${project}`, { status: 'archived' })
    expect((await call('DELETE', `/projects/${project}`)).status).toBe(200)
    const answers = await publishing
    expect(answers.filter(({ status }) => ![200, 403, 404].includes(status))).toEqual([])
    await expect.poll(() => storage.list(`${project}/`)).toEqual([])
    expect((await call('GET', `/projects/${project}`)).status).toBe(404)
  })
})

describe('a page that is deleted while it is published', () => {
  test.each(some([false, true]))('is gone everywhere (live before: %s)', async (isLive) => {
    const kept = await create({ slug: 'kept' })
    const ids = await Promise.all(times(10, (i) => create({ slug: `page-${i}` })))
    await Promise.all([kept, ...(isLive ? ids : [])].map(publish))
    const deletes = await Promise.all(
      ids.map(async (id) => {
        const [, deleted, , unpublished] = await Promise.all([
          publish(id),
          call('DELETE', `/pages/${id}`),
          publish(id),
          unpublish(id),
        ])
        expect([200, 404, 409]).toContain(unpublished.status)
        return deleted
      }),
    )
    expect(tally(deletes)).toEqual({ 200: 10 })
    expect(await expectOneTruth()).toEqual({ 'kept/index.html': kept })
    for (const id of ids) expect((await call('GET', `/pages/${id}`)).status).toBe(404)
  })

  test.runIf(LONG_FORM)('is deleted once by two deletions at once', async () => {
    const id = await create({ slug: 'twice' })
    await publish(id)
    const answers = await Promise.all(times(5, () => call('DELETE', `/pages/${id}`)))
    expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([])
    expect(tally(answers)[200]).toBeGreaterThanOrEqual(1)
    expect(await expectOneTruth()).toEqual({})
  })
})

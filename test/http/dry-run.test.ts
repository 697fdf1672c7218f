import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

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

interface Planned {
  readonly key: string
  readonly action: 'put' | 'keep' | 'delete'
  readonly reason: string
  readonly size: number
}

const create = async (fields: object = {}): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = (id: string, body?: object) => service.call('POST', `/pages/${id}/publish`, body)
const dryRun = (id: string, body?: object) => service.call('POST', `/pages/${id}/publish?dry_run=true`, body)
const edit = (id: string, fields: object) => service.call('PUT', `/pages/${id}`, fields)

const actions = (objects: readonly Planned[]) =>
  Object.fromEntries(objects.map(({ key, action, reason }) => [key, `${action} ${reason}`]))

/** Everything that is written while something runs. */
async function written(run: () => Promise<unknown>): Promise<readonly string[]> {
  storage.log.length = 0
  await run()
  // The search index is written by a job, whenever its time has come.
  return storage.log.filter((line) => /^(put|delete)/.test(line) && !/\/(_search|llms-full)/.test(line))
}

describe('a dry run', () => {
  test('shows for a draft what a publish then does, to the byte, and writes nothing', async () => {
    const id = await create({ slug: 'plan', markdown_content: 'Text.' })
    const before = (await service.call('GET', `/pages/${id}`)).body
    const answer = await dryRun(id)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ id, dry_run: true, status: 'draft', changed: true })
    expect(answer.body.data.url).toMatch(/\/plan$/)
    expect(await written(() => dryRun(id))).toEqual([])
    expect((await service.call('GET', `/pages/${id}`)).body).toEqual(before)
    expect((await service.call('GET', `/public/${project}/plan/`)).status).toBe(404)

    const { objects } = answer.body.data as { objects: readonly Planned[] }
    expect(new Set(objects.map(({ action, reason }) => `${action} ${reason}`))).toEqual(new Set(['put new']))
    const puts = await written(() => publish(id))
    expect(puts.map((line) => line.replace(`put ${project}/`, '')).sort()).toEqual(
      objects.map(({ key }) => key).sort(),
    )
    for (const { key, size } of objects)
      expect([key, size]).toEqual([key, (await storage.get(`${project}/${key}`))?.byteLength])
  })

  test('lists for a page that goes live sealed the sizes of the previous and the new objects', async () => {
    await publish(await create({ slug: 'start', subroute: 'docs', type: 'docs' }))
    await service.call('POST', `/projects/${project}/data-mode`, { action: 'enable' })
    const id = await create({ slug: 'sealed', subroute: 'docs', type: 'docs', markdown_content: 'Grüße.' })
    const sizesOf = async (action: string): Promise<readonly (readonly [string, number])[]> =>
      ((await dryRun(id)).body.data.objects as readonly Planned[])
        .filter((planned) => planned.action === action)
        .map(({ key, size }) => [key, size] as const)
    const lying = async (keys: readonly string[]) =>
      Promise.all(
        keys.map(async (key) => [key, (await storage.get(`${project}/${key}`))?.byteLength] as const),
      )
    const puts = await sizesOf('put')
    expect(puts.map(([key]) => key)).toEqual(expect.arrayContaining(['sealed.json', '_nav/docs.json']))
    await publish(id)
    expect(await lying(puts.map(([key]) => key))).toEqual(puts)
    const keeps = await sizesOf('keep')
    expect(keeps.map(([key]) => key)).toContain('sealed.json')
    expect(await lying(keeps.map(([key]) => key))).toEqual(keeps)
  })

  test('says for an edited page of each object what happens and why', async () => {
    const id = await create({ slug: 'guide', subroute: 'docs', type: 'docs' })
    await publish(id)
    await edit(id, { title: 'Guide', subroute: 'manual' })
    const { objects } = (await dryRun(id)).body.data
    expect(actions(objects)).toMatchObject({
      'manual/guide/index.html': 'put new',
      '_nav/manual.json': 'put new',
      '_nav/docs.json': 'delete obsolete',
      '_index.json': 'put changed',
      '404.html': 'keep unchanged',
    })
    expect(objects.filter(({ size }: Planned) => !(size > 0))).toEqual([])
    const keys = objects.map(({ key }: Planned) => key)
    expect(keys).toEqual([...keys].sort())
  })

  test('says for a retagged article which lists of tags appear, change and go, as the publish then does', async () => {
    await publish(await create({ slug: 'other', subroute: 'blog', tags: ['Trains'] }))
    const id = await create({ slug: 'one', subroute: 'blog', tags: ['Trains', 'Maps'] })
    await publish(id)
    await edit(id, { tags: ['Ships'] })
    const { objects } = (await dryRun(id)).body.data as { objects: readonly Planned[] }
    expect(actions(objects)).toMatchObject({
      'blog/tags/index.html': 'put changed',
      'blog/tags/maps/feed.xml': 'delete obsolete',
      'blog/tags/maps/index.html': 'delete obsolete',
      'blog/tags/ships/feed.xml': 'put new',
      'blog/tags/ships/index.html': 'put new',
      'blog/tags/trains/feed.xml': 'put changed',
      'blog/tags/trains/index.html': 'put changed',
      'tags/index.html': 'put changed',
    })
    const log = (await written(() => publish(id))).map((line) => line.replace(`${project}/`, ''))
    const touched = (lines: readonly string[]) => lines.filter((line) => line.includes('tags/')).sort()
    expect(touched(log)).toEqual(
      touched(
        objects
          .filter(({ action }) => action !== 'keep')
          .map(({ key, action }) => (action === 'put' ? `put ${key}` : `delete ${key}`)),
      ),
    )
  })

  test('keeps every object of a page that is already live', async () => {
    const id = await create({ slug: 'same' })
    await publish(id)
    const { data } = (await dryRun(id)).body
    expect(data.changed).toBe(false)
    expect(actions(data.objects)['same/index.html']).toBe('keep unchanged')
    expect(new Set(data.objects.map(({ action }: Planned) => action))).toEqual(new Set(['keep']))
  })

  test('is refused where the publish would be', async () => {
    const folder = await create({ slug: 'index', subroute: 'shop' })
    const page = await create({ slug: 'shop' })
    await publish(folder)
    for (const run of [dryRun, publish]) {
      const refused = await run(page)
      expect(refused).toMatchObject({ status: 400, body: { name: 'conflict' } })
      expect(refused.body.message).toContain(folder)
    }
    await service.call('PUT', `/projects/${project}`, { status: 'archived' })
    expect((await dryRun(page)).status).toBe(403)
    expect((await dryRun('page_aaaaaaaaaaaaaaaa')).status).toBe(404)
    const query = await service.call('POST', `/pages/${page}/publish?dry_run=perhaps`)
    expect(query).toMatchObject({ status: 422, body: { name: 'invalid_request' } })
  })

  test('is another request to an Idempotency-Key than the publish after it', async () => {
    const id = await create({ slug: 'twice' })
    const headers = { 'Idempotency-Key': 'the-same' }
    const planned = await service.call('POST', `/pages/${id}/publish?dry_run=true`, undefined, { headers })
    expect(planned.status).toBe(200)
    const refused = await service.call('POST', `/pages/${id}/publish`, undefined, { headers })
    expect(refused).toMatchObject({ status: 422, body: { name: 'invalid_request' } })
    expect((await service.call('GET', `/pages/${id}`)).body.data.status).toBe('draft')
  })
})

describe('publishing again', () => {
  test('a page that is already live uploads nothing and returns the live release', async () => {
    const id = await create({ slug: 'again' })
    const first = (await publish(id)).body.data
    const puts = await written(async () => {
      expect((await publish(id)).body.data).toEqual({ ...first, changed: false })
    })
    expect(puts).toEqual([])
  })

  test('a change that shows only in the lists of pages writes those, and no page', async () => {
    const id = await create({
      slug: 'described',
      type: 'page',
      meta: { description: 'For search engines.' },
      config: { sections: [{ type: 'hero', props: { heading: 'Hello' } }] },
    })
    const first = (await publish(id)).body.data
    await edit(id, { description: 'For the page list.' })
    const puts = await written(async () => {
      const { data } = (await publish(id)).body
      expect(data.release_id).not.toBe(first.release_id)
      expect(data).not.toHaveProperty('changed')
    })
    expect(puts).toContain(`put ${project}/_index.json`)
    expect(puts.filter((line) => line.endsWith('index.html'))).toEqual([])
    const { pages } = (await service.call('GET', `/public/${project}/_index.json`)).body
    expect(pages[0].description).toBe('For the page list.')
  })
})

describe('a strict publish', () => {
  test('with strict is refused for its warnings, and nothing is stored', async () => {
    const id = await create({ slug: 'strict', markdown_content: '[bad](javascript:alert(1))' })
    for (const run of [dryRun, publish]) {
      const refused = await run(id, { strict: true })
      expect(refused).toMatchObject({ status: 422, body: { name: 'validation_error' } })
      expect(refused.body.message).toContain('markdown_content')
      expect(refused.body.message).toContain('javascript:')
    }
    expect((await service.call('GET', `/pages/${id}`)).body.data.status).toBe('draft')
    const { data } = (await publish(id, { strict: false })).body
    expect(data.warnings).toHaveLength(1)
    await edit(id, { markdown_content: 'Fine.' })
    expect((await publish(id, { strict: true })).status).toBe(200)
  })

  test.each([[{ strict: 'yes' }], [{ strict: null }], [{ title: 'No' }]])(
    'a body of %j is refused with the name of its field',
    async (body) => {
      const id = await create({ slug: 'body' })
      const refused = await publish(id, body)
      expect(refused).toMatchObject({ status: 422, body: { name: 'validation_error' } })
      expect(refused.body.message).toContain(Object.keys(body)[0])
    },
  )
})

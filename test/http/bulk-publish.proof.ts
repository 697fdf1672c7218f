import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readId } from '../../src/domain/ids.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { finishedJob } from '../support/finished-job.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { createMemoryStorage, type MemoryStorage } from '../support/memory-storage.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let storage: MemoryStorage
let broken = false
let refusals = 0
/** How far the service's clock is ahead. */
let aheadMs = 0
let project: string

beforeEach(async () => {
  broken = false
  refusals = 0
  aheadMs = 0
  storage = createMemoryStorage({
    failOn: (operation) => {
      if (!broken || operation !== 'put') return null
      refusals += 1
      return new Error('ENOSPC')
    },
  })
  service = await startService({ storage, now: () => new Date(Date.now() + aheadMs).toISOString() })
  project = await service.newProject()
})
afterEach(() => service.close())

const create = async (slug: string, fields: object = {}) =>
  (await service.call('POST', '/pages', pageBody(project, { slug, ...fields }))).body.data.id as string
const createMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => create(`page-${i}`)))
const publishMany = (pages: unknown, options = {}) =>
  service.call('POST', `/projects/${project}/publish`, { pages }, options)
const statusOf = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data.status
const manifest = async () => {
  const { body } = await service.call('GET', `/public/${project}/_index.json`, undefined, { key: null })
  return body.pages.map(({ id }: { id: string }) => id).sort()
}

/** Makes the store refuse writes until the job has failed once. */
async function failFirst(start: () => Promise<Answer>): Promise<Answer> {
  broken = true
  const answer = await start()
  await expect.poll(() => refusals).toBeGreaterThan(0)
  broken = false
  const job = () => service.call('GET', `/jobs/${answer.body.data.id}`)
  await expect.poll(async () => (await job()).body.data.status).toBe('queued')
  return answer
}

test('a finished job lists the warnings of its pages', async () => {
  const fine = await create('fine')
  const fields = { type: 'docs', markdown_content: 'A [link](/gone).\n\n<iframe></iframe>\n' }
  const warned = await create('warned', fields)
  const { body } = await publishMany([fine, warned])
  const job = await finishedJob(service, body.data.id)
  const { data: alone } = (await service.call('POST', `/pages/${warned}/publish`)).body
  expect(alone.warnings).toHaveLength(2)
  expect(job).toMatchObject({ status: 'succeeded', warning_count: 2 })
  expect(job.warnings).toEqual([
    { page_id: warned, ...alone.warnings[0], written: '<iframe' },
    { page_id: warned, ...alone.warnings[1], written: '/gone' },
  ])
  const { body: again } = await publishMany([fine])
  expect(await finishedJob(service, again.data.id)).not.toHaveProperty('warnings')
})

test('a job does not grow with what a page makes its warnings say', async () => {
  const sections = [{ type: 'x'.repeat(10_000), props: {} }]
  const { body } = await publishMany([await create('long', { type: 'page', config: { sections } })])
  const { warnings } = await finishedJob(service, body.data.id)
  expect(warnings[0].message).toMatch(/^Unknown section type "x{1,500}…$/)
})

test('a job tells the first of very many warnings, and how many there are', async () => {
  const links = Array.from({ length: 60 }, (_, i) => `[${i}](/gone-${i})`).join(' ')
  const pages = await Promise.all(
    Array.from({ length: 20 }, (_, i) => create(`w-${i}`, { type: 'docs', markdown_content: links })),
  )
  const { body } = await publishMany(pages)
  const job = await finishedJob(service, body.data.id)
  expect([job.warnings.length, job.warning_count]).toEqual([1_000, 1_200])
})

test('pages named by their ids go live as they are, with their indexes written once', async () => {
  const pages = await createMany(25)
  storage.log.length = 0
  const answer = await publishMany([...pages, pages[0], pages[1]?.replace('page_', '')])
  expect(answer.status).toBe(202)
  const { id } = answer.body.data
  expect(answer.headers.get('location')).toBe(`/jobs/${id}`)
  expect(answer.body.data).toEqual({
    id: expect.stringMatching(/^job_/),
    status: 'queued',
    total: 25,
    done: 0,
    failed: [],
    created_at: expect.any(String),
    finished_at: null,
    scheduled_at: null,
  })
  expect(await finishedJob(service, id)).toMatchObject({
    status: 'succeeded',
    total: 25,
    done: 25,
    failed: [],
  })
  expect(await manifest()).toEqual([...pages].sort())
  const writes = (key: string) => storage.log.filter((line) => line === `put ${project}/${key}`).length
  expect(writes('_index.json')).toBe(1)
  expect(writes('404.html')).toBe(1)
})

test('"all" are the live pages with their unpublished edits; drafts and archived pages stay', async () => {
  const [live = '', gone = '', draft = ''] = await createMany(3)
  await publishMany([live, gone]).then(({ body }) => finishedJob(service, body.data.id))
  await service.call('PUT', `/pages/${live}`, { title: 'After the edit' })
  await service.call('PUT', `/pages/${gone}`, { status: 'archived' })
  const { body } = await publishMany('all')
  expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded', total: 1 })
  expect(await Promise.all([live, gone, draft].map(statusOf))).toEqual(['published', 'archived', 'draft'])
  const page = await service.call('GET', `/public/${project}/page-0/`, undefined, { key: null })
  expect(page.body).toContain('After the edit')
})

test('"stale" are the live pages that publishing would change', async () => {
  const [edited = '', same = ''] = await createMany(2)
  await publishMany([edited, same]).then(({ body }) => finishedJob(service, body.data.id))
  await service.call('PUT', `/pages/${edited}`, { title: 'After the edit' })
  const first = await publishMany('stale')
  expect(await finishedJob(service, first.body.data.id)).toMatchObject({ status: 'succeeded', total: 1 })
  const again = await publishMany('stale')
  expect(await finishedJob(service, again.body.data.id)).toMatchObject({
    status: 'succeeded',
    total: 0,
    done: 0,
  })
  await service.call('PUT', `/projects/${project}/settings`, { theme: 'dark' })
  expect((await publishMany('stale')).body.data.total).toBe(2)
})

test.runIf(LONG_FORM)('an archived page that is named goes live again', async () => {
  const id = await create('archived')
  await service.call('PUT', `/pages/${id}`, { status: 'archived' })
  const { body } = await publishMany([id])
  expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded' })
  expect(await statusOf(id)).toBe('published')
})

test('a page that cannot be published is named with the reason, and stops no other', async () => {
  await service.call('PUT', `/v1/projects/${project}/settings`, { site_routes: { a: 'same', b: 'same' } })
  const first = await create('twin', { subroute: 'a' })
  const second = await create('twin', { subroute: 'b' })
  const fine = await create('fine')
  const { body } = await publishMany([first, second, fine])
  expect(await finishedJob(service, body.data.id)).toMatchObject({
    status: 'failed',
    total: 3,
    done: 3,
    failed: [{ page_id: second, message: expect.stringContaining('is served at this path') }],
  })
  expect(await manifest()).toEqual([first, fine].sort())
  expect(await statusOf(second)).toBe('draft')
})

test.runIf(LONG_FORM)('a store that comes back in time costs a job no page', async () => {
  const pages = await createMany(5)
  const { body } = await failFirst(() => publishMany(pages))
  aheadMs = 60_000
  expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded', done: 5, failed: [] })
  expect(await manifest()).toEqual([...pages].sort())
})

test('after a failed run a job goes on with half as many pages at a time, and then with more again', async () => {
  const pages = await createMany(30)
  const { body } = await failFirst(() => publishMany(pages))
  storage.log.length = 0
  aheadMs = 60_000
  expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded', done: 30 })
  const put = (file: string) => storage.log.filter((line) => line.startsWith('put ') && line.endsWith(file))
  const groups = put('/index.html').length
  expect(groups).toBe(30)
  // 12 of the 25 pages that failed, then the other 18.
  expect(put('/_index.json')).toHaveLength(2)
})

test('20 jobs of one project, whose pages do not end, do not keep the job of another account waiting', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const busy = await startService({
    renderer: (themes) => {
      const renderer = createInProcessRenderer(themes)
      return {
        ...renderer,
        async renderPage(live) {
          if (live.page.title === 'Costly') await released
          return renderer.renderPage(live)
        },
      }
    },
  })
  onTestFinished(async () => {
    release()
    await busy.close()
  })
  const publishPageOf = async (key: string, title: string, jobs: number) => {
    const { body: made } = await busy.call('POST', '/projects', { name: title }, { key })
    const page = pageBody(made.data.id, { title })
    const { body } = await busy.call('POST', '/pages', page, { key })
    const ids: string[] = []
    for (let i = 0; i < jobs; i++) {
      const wish = { pages: [body.data.id] }
      ids.push((await busy.call('POST', `/projects/${made.data.id}/publish`, wish, { key })).body.data.id)
    }
    return ids
  }
  await publishPageOf(busy.key, 'Costly', 20)
  const other = await busy.newKey({ user: await busy.newUser({ canCreateProjects: true }) })
  const [job] = await publishPageOf(other, 'Ordinary', 1)
  const statusOfJob = async () =>
    (await busy.call('GET', `/jobs/${job}`, undefined, { key: other })).body.data
  await expect.poll(statusOfJob).toMatchObject({ status: 'succeeded' })
})

test('the same request sent again with its Idempotency-Key is the same job', async () => {
  const pages = await createMany(2)
  const options = { headers: { 'Idempotency-Key': 'once' } }
  const answers = await Promise.all([publishMany(pages, options), publishMany(pages, options)])
  const [first, second] = answers.map(({ body }) => body.data.id)
  expect(second).toBe(first)
  expect(answers.map(({ headers }) => headers.get('location'))).toEqual([`/jobs/${first}`, `/jobs/${first}`])
  await finishedJob(service, first)
})

describe('refused is', () => {
  test.each([
    [{}, 'missing_required_field', 'pages: required.'],
    [{ pages: null }, 'missing_required_field', 'pages: required.'],
    [{ pages: 'some' }, 'validation_error', 'pages: must be all, stale or a list of page ids.'],
    [{ pages: [] }, 'validation_error', 'pages: must name at least one page.'],
    [{ pages: [1] }, 'validation_error', 'pages[0]: must be a string.'],
    [{ pages: 'all', draft: true }, 'validation_error', 'draft: unknown field.'],
    [{ pages: Array(10_001).fill('x') }, 'validation_error', 'pages: must name at most 10000 pages.'],
  ])('a body with fault %#', async (body, name, message) => {
    expect((await service.call('POST', `/projects/${project}/publish`, body)).body).toEqual({
      statusCode: 422,
      name,
      message,
    })
  })

  test('a list with ids of no page of the project, naming each of them', async () => {
    const own = await create('own')
    const other = await service.newProject('Other')
    const elsewhere = (await service.call('POST', '/pages', pageBody(other))).body.data.id
    const { status, body } = await publishMany([own, elsewhere, 'page_aaaaaaaaaaaaaaaa', project])
    expect([status, body.name]).toEqual([422, 'validation_error'])
    expect(body.message).toBe(
      [1, 2, 3].map((i) => `pages[${i}]: is not the id of a page of this project.`).join(' '),
    )
    expect(await statusOf(own)).toBe('draft')
  })

  test.runIf(LONG_FORM)('an archived and a suspended project', async () => {
    await service.call('PUT', `/projects/${project}`, { status: 'archived' })
    expect((await publishMany('all')).body).toMatchObject({ statusCode: 403, name: 'forbidden' })
    const id = readId('proj', project) ?? expect.unreachable()
    await service.server.service.projects.setStatus(id, 'suspended')
    expect((await publishMany('all')).body).toMatchObject({ statusCode: 403, name: 'forbidden' })
  })
})

test.runIf(LONG_FORM)(
  'pages that were deleted before their turn, or whose project was archived, are named',
  async () => {
    const [kept = '', deleted = ''] = await createMany(2)
    const { body } = await failFirst(() => publishMany([kept, deleted]))
    await service.call('DELETE', `/pages/${deleted}`)
    aheadMs = 60_000
    expect(await finishedJob(service, body.data.id)).toMatchObject({
      status: 'failed',
      failed: [{ page_id: deleted, message: 'The page was deleted before it could be published.' }],
    })
    expect(await manifest()).toEqual([kept])
  },
)

test.runIf(LONG_FORM)(
  'a job belongs to its project: it is deleted with it and hidden from other users',
  async () => {
    const { body } = await publishMany('all')
    const { id } = await finishedJob(service, body.data.id)
    await service.call('PUT', `/projects/${project}`, { status: 'archived' })
    expect((await service.call('GET', `/jobs/${id}`)).status).toBe(200)
    await service.call('DELETE', `/projects/${project}`)
    expect((await service.call('GET', `/jobs/${id}`)).body).toMatchObject({
      statusCode: 404,
      name: 'not_found',
    })
  },
)

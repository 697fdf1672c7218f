import { afterEach, beforeEach, expect, test } from 'vitest'
import { openVerification } from '../../src/app/verification.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'
import { finishedJob } from '../support/finished-job.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { serviceConfig } from '../support/test-database.ts'

let service: TestService
let project: string
/** Key at whose next write the store fails once. */
let failAt: string | null
/** How far the clock of the service is ahead. */
let aheadMs: number
/** Title of the page that cannot be rendered. */
let unrenderable: string | null

beforeEach(async () => {
  failAt = null
  aheadMs = 0
  unrenderable = null
  const data = await temporaryFolder()
  const stored = createLocalFolderStorage({ root: `${data}/cdn` })
  service = await startService({
    data,
    now: () => new Date(Date.now() + aheadMs).toISOString(),
    storage: {
      ...stored,
      async put(object) {
        await stored.put(object)
        if (failAt === null || !object.key.endsWith(failAt)) return
        failAt = null
        throw new Error('ENOSPC')
      },
    },
    renderer(themes) {
      const renderer = createInProcessRenderer(themes)
      return {
        ...renderer,
        async renderPage(live) {
          if (live.page.title === unrenderable) throw new ServiceError('validation_error', 'Too costly.')
          return renderer.renderPage(live)
        },
      }
    },
  })
  project = await service.newProject()
})
afterEach(() => service.close())

const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
const visit = async (path: string) => {
  const { status, headers, body } = await service.call('GET', `/public/${project}${path}`, undefined, {
    key: null,
  })
  const location = headers.get('location')
  return { status, location, title: /<h1[^>]*>([^<]*)/.exec(body)?.[1] ?? null }
}
const titleAt = async (path: string) => (await visit(`${path}/`)).title

async function create(name: string, fields: object = {}): Promise<string> {
  const body = pageBody(project, { title: name, slug: name, markdown_content: 'Same text.', ...fields })
  return (await service.call('POST', '/pages', body)).body.data.id
}

async function createLive(name: string, fields: object = {}): Promise<string> {
  const id = await create(name, fields)
  expect((await publish(id)).status).toBe(200)
  return id
}

const edit = async (id: string, fields: object) => {
  expect(await service.call('PUT', `/pages/${id}`, fields)).toMatchObject({ status: 200 })
}

/** Gives each page the slug of the next one, and the last page that of the first. */
async function rotate(...pages: readonly (readonly [id: string, slug: string])[]): Promise<void> {
  for (const [id, slug] of pages) await edit(id, { slug: `${slug}-aside` })
  for (const [i, [id]] of pages.entries()) await edit(id, { slug: pages[(i + 1) % pages.length]?.[1] })
}

async function publishMany(pages: readonly string[]) {
  const { body } = await service.call('POST', `/projects/${project}/publish`, { pages })
  return finishedJob(service, body.data.id)
}

/** Compares every object of the store with the database. */
async function expectNothingWrong(): Promise<void> {
  const config = await serviceConfig(service.data)
  const open = await openVerification(config, { recover: false })
  const { findings } = await open.verification.verify({
    project: null,
    repair: false,
    media: true,
    onProgress: () => {},
  })
  await open.close()
  expect(findings).toEqual([])
}

test('two live pages swap their addresses in one bulk publish', async () => {
  const one = await createLive('first')
  const two = await createLive('second')
  await rotate([one, 'first'], [two, 'second'])
  expect(await publishMany([one, two])).toMatchObject({ status: 'succeeded', failed: [] })
  expect([await titleAt('/second'), await titleAt('/first')]).toEqual(['first', 'second'])
  const { body } = await service.call('GET', `/public/${project}/_index.json`, undefined, { key: null })
  expect(body.pages.map(({ id, url }: { id: string; url: string }) => [id, url]).sort()).toEqual(
    [
      [one, '/second'],
      [two, '/first'],
    ].sort(),
  )
  await expectNothingWrong()
  expect(await publishMany([one, two])).toMatchObject({ status: 'succeeded' })
})

test('three live pages exchange their addresses in a circle', async () => {
  const ids = [await createLive('aaa'), await createLive('bbb'), await createLive('ccc')] as const
  await rotate([ids[0], 'aaa'], [ids[1], 'bbb'], [ids[2], 'ccc'])
  expect(await publishMany(ids)).toMatchObject({ status: 'succeeded' })
  expect(await Promise.all(['/aaa', '/bbb', '/ccc'].map(titleAt))).toEqual(['ccc', 'aaa', 'bbb'])
  await expectNothingWrong()
})

test('a row of pages moves on by one address, in whatever order it is named', async () => {
  const ids = [await createLive('aaa'), await createLive('bbb'), await createLive('ccc')] as const
  await edit(ids[2], { slug: 'ddd' })
  await edit(ids[1], { slug: 'ccc' })
  await edit(ids[0], { slug: 'bbb' })
  expect(await publishMany(ids)).toMatchObject({ status: 'succeeded' })
  expect(await Promise.all(['/bbb', '/ccc', '/ddd'].map(titleAt))).toEqual(['aaa', 'bbb', 'ccc'])
  expect((await visit('/aaa/')).location).toContain('/bbb/')
  await expectNothingWrong()
})

test('after a swap each page owns its files: unpublishing one leaves the other whole', async () => {
  const one = await createLive('first', { title: 'Same' })
  const two = await createLive('second', { title: 'Same' })
  await rotate([one, 'first'], [two, 'second'])
  expect(await publishMany([one, two])).toMatchObject({ status: 'succeeded' })
  expect((await service.call('POST', `/pages/${one}/unpublish`)).status).toBe(200)
  // The other page was there before.
  expect((await visit('/second/')).location).toContain('/first/')
  expect((await visit('/first/')).status).toBe(200)
  expect((await visit('/first/index.md')).status).toBe(200)
  await expectNothingWrong()
})

test('redirects from former addresses lead to the pages, and none hides a page', async () => {
  const one = await createLive('older-one')
  await edit(one, { slug: 'first' })
  await publish(one)
  const two = await createLive('second', {
    markdown_content: '---\nredirect_from: [/first, /extra]\n---\nText.',
  })
  await rotate([one, 'first'], [two, 'second'])
  await edit(one, { markdown_content: '---\nredirect_from: /first\n---\nText.' })
  expect(await publishMany([two, one])).toMatchObject({ status: 'succeeded' })
  expect([await titleAt('/second'), await titleAt('/first')]).toEqual(['older-one', 'second'])
  expect((await visit('/older-one/')).location).toContain('/second/')
  expect((await visit('/extra/')).location).toContain('/first/')
  await expectNothingWrong()
})

test('with only one of the two in the bulk, it is refused with what to do, and nothing changes', async () => {
  const one = await createLive('first')
  const two = await createLive('second')
  await rotate([one, 'first'], [two, 'second'])
  const job = await publishMany([one])
  expect(job).toMatchObject({
    status: 'failed',
    failed: [{ page_id: one, message: expect.stringMatching(/\(\/second\).*in one bulk publish/) }],
  })
  expect(job.failed[0].message).toContain(two)
  expect((await publish(one)).body.name).toBe('conflict')
  expect([await titleAt('/first'), await titleAt('/second')]).toEqual(['first', 'second'])
  await expectNothingWrong()
})

test('when one of the two cannot be rendered, neither moves', async () => {
  const one = await createLive('first')
  const two = await createLive('second')
  const other = await createLive('other')
  await rotate([one, 'first'], [two, 'second'])
  await edit(other, { title: 'renewed' })
  unrenderable = 'second'
  const job = await publishMany([one, two, other])
  expect(job.failed.map(({ page_id }: { page_id: string }) => page_id).sort()).toEqual([one, two].sort())
  expect(await Promise.all(['/first', '/second', '/other'].map(titleAt))).toEqual([
    'first',
    'second',
    'renewed',
  ])
  await expectNothingWrong()
  unrenderable = null
  expect(await publishMany([one, two])).toMatchObject({ status: 'succeeded' })
})

test.each(['/first/index.html', '/second/index.md', '/_index.json'])(
  'when the store fails at %s, both addresses show their former pages, then both their new ones',
  async (key) => {
    const one = await createLive('first')
    const two = await createLive('second')
    await rotate([one, 'first'], [two, 'second'])
    failAt = key
    const { body } = await service.call('POST', `/projects/${project}/publish`, { pages: [one, two] })
    const job = () => service.call('GET', `/jobs/${body.data.id}`)
    await expect.poll(() => failAt).toBeNull()
    await expect.poll(async () => (await job()).body.data.status).toBe('queued')
    await expect.poll(async () => (await visit('/first/')).title).toBe('first')
    await expect.poll(async () => (await visit('/second/')).title).toBe('second')
    aheadMs += 60 * 60 * 1000
    expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded' })
    expect([await titleAt('/second'), await titleAt('/first')]).toEqual(['first', 'second'])
    await expectNothingWrong()
  },
)

test('pages that are far apart in a large bulk swap as well', async () => {
  const one = await createLive('first')
  const two = await createLive('second')
  const between = await Promise.all(Array.from({ length: 105 }, (_, i) => create(`page-${i}`)))
  await rotate([one, 'first'], [two, 'second'])
  expect(await publishMany([one, ...between, two])).toMatchObject({
    status: 'succeeded',
    total: 107,
    done: 107,
  })
  expect([await titleAt('/second'), await titleAt('/first')]).toEqual(['first', 'second'])
})

test('sealed pages swap their addresses and files', async () => {
  const one = await createLive('first')
  const two = await createLive('second')
  await service.call('POST', `/projects/${project}/data-mode/enable`)
  expect(await publishMany([one, two])).toMatchObject({ status: 'succeeded' })
  await rotate([one, 'first'], [two, 'second'])
  expect(await publishMany([one, two])).toMatchObject({ status: 'succeeded' })
  const { body } = await service.call('GET', `/public/${project}/_index.json`, undefined, { key: null })
  const files = Object.fromEntries(body.pages.map(({ id, file }: { id: string; file: string }) => [id, file]))
  expect(files).toEqual({ [one]: 'second.json', [two]: 'first.json' })
  await expectNothingWrong()
})

import * as fc from 'fast-check'
import type { Knex } from 'knex'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { finishedJob } from '../support/finished-job.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'
import { databaseSettings, openServiceDatabase } from '../support/test-database.ts'
import { usageAndSums } from '../support/usage-sums.ts'

let service: TestService
afterEach(() => service.close())

const start = async (limits: string) => {
  service = await startService({ env: { QUOIN_ACCOUNT_LIMITS: limits } })
  return service.newProject()
}
const create = (project: string, slug: string, text = 'Text.') =>
  service.call('POST', '/pages', pageBody(project, { slug, markdown_content: text }))
const idOf = ({ body }: Answer): string => body.data.id
const usage = async () => (await service.call('GET', '/users/me/usage')).body.data

function refusal(limit: string, number: number) {
  const message = expect.stringMatching(
    new RegExp(`limit ${limit} is ${number},.*operator|limit ${limit} is ${number},.*cancel`),
  )
  return { status: 403, body: { statusCode: 403, name: 'forbidden', message } }
}

test('an account that has as many projects as it may creates no other, until it deletes one', async () => {
  await start('enterprise.projects=2')
  const second = idOf(await service.call('POST', '/projects', { name: 'Second' }))
  expect(await service.call('POST', '/projects', { name: 'Third' })).toMatchObject(refusal('projects', 2))
  expect(await service.call('POST', '/v1/projects', { name: 'Third' })).toMatchObject({ status: 403 })
  await service.call('PUT', `/projects/${second}`, { status: 'archived' })
  expect((await service.call('DELETE', `/projects/${second}`)).status).toBe(200)
  expect((await service.call('POST', '/projects', { name: 'Third' })).status).toBe(201)
  expect((await usage()).account.projects).toEqual({ used: 2, allowed: 2, window: null })
})

test('a project that has as many pages as it may takes no other, also of concurrent requests', async () => {
  const project = await start('enterprise.pages_per_project=5')
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create(project, `page-${n}`)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(answer).toMatchObject(refusal('pages_per_project', 5))
  const other = await service.newProject()
  expect((await create(other, 'page')).status).toBe(201)
  expect((await usage()).account.pages_per_project).toEqual({
    used: 5,
    allowed: 5,
    window: null,
    project_id: project,
  })
})

test('drafts are refused beyond their bytes; smaller ones are accepted even then', async () => {
  const project = await start('enterprise.draft_bytes=100KB')
  const id = idOf(await create(project, 'large', 'x'.repeat(60_000)))
  expect(await create(project, 'larger', 'x'.repeat(60_000))).toMatchObject(refusal('draft_bytes', 102_400))
  const grown = await service.call('PUT', `/pages/${id}`, { markdown_content: 'x'.repeat(120_000) })
  expect(grown).toMatchObject(refusal('draft_bytes', 102_400))
  expect((await service.call('GET', `/pages/${id}`)).body.data.markdown_content).toHaveLength(60_000)
  await service.server.service.accounts.setLimits(service.userId, { draft_bytes: 1_000 })
  expect((await service.call('PUT', `/pages/${id}`, { markdown_content: 'x'.repeat(50_000) })).status).toBe(
    200,
  )
  expect((await service.call('PUT', `/pages/${id}`, { markdown_content: 'x'.repeat(50_100) })).status).toBe(
    403,
  )
})

test('publishes are refused beyond the bytes of releases; unpublishing and deleting are not', async () => {
  const project = await start('enterprise.release_bytes=100KB')
  const id = idOf(await create(project, 'page', randomText(60_000)))
  expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)
  await service.call('PUT', `/pages/${id}`, { markdown_content: randomText(60_000) })
  expect(await service.call('POST', `/pages/${id}/publish`)).toMatchObject(refusal('release_bytes', 102_400))
  expect(await service.call('PUT', `/pages/${id}`, { status: 'published', title: 'Lost' })).toMatchObject(
    refusal('release_bytes', 102_400),
  )
  const job = await service.call('POST', `/projects/${project}/publish`, { pages: [id] })
  expect(job.status).toBe(202)
  const { failed } = await finishedJob(service, idOf(job))
  expect(failed).toMatchObject([{ message: expect.stringContaining('release_bytes is 102400') }])
  expect((await service.call('POST', `/pages/${id}/unpublish`)).status).toBe(200)
  expect((await service.call('DELETE', `/pages/${id}`)).status).toBe(200)
})

test('creating and deleting a large draft stores none of it', async () => {
  const project = await start('enterprise.release_bytes=100KB')
  for (let round = 0; round < 3; round++) {
    const id = idOf(await create(project, 'page', randomText(200_000)))
    expect((await service.call('DELETE', `/pages/${id}`)).status).toBe(200)
  }
  expect((await usage()).account.release_bytes.used).toBeLessThan(20_000)
})

test('an account near the bytes of its releases loses its oldest ones, and can publish again', async () => {
  const project = await start('enterprise.release_bytes=1MB')
  const id = idOf(await create(project, 'page'))
  let releases = 0
  const edit = () => service.call('PUT', `/pages/${id}`, { markdown_content: randomText(60_000) })
  const publish = async () => {
    await edit()
    return (await service.call('POST', `/pages/${id}/publish`)).status
  }
  while ((await publish()) === 200) releases += 1
  expect(releases).toBeGreaterThan(5)
  await service.server.service.runHousekeeping()
  expect((await usage()).account.release_bytes.used).toBeLessThan(0.8 * 2 ** 20)
  const history = (await service.call('GET', `/pages/${id}/releases?limit=100`)).body.data
  expect(history.length).toBeGreaterThanOrEqual(5)
  expect(history.length).toBeLessThan(releases)
  expect(await publish()).toBe(200)
  const oldest = history.at(-1)?.id
  expect((await service.call('POST', `/pages/${id}/rollback`, { release_id: oldest })).status).toBe(200)
})

test('releases of deleted pages are the first to go from an account near its limit', async () => {
  const project = await start('enterprise.release_bytes=1MB')
  for (let n = 0; ; n++) {
    const id = idOf(await create(project, `page-${n}`, randomText(60_000)))
    if ((await service.call('POST', `/pages/${id}/publish`)).status !== 200) break
    await service.call('DELETE', `/pages/${id}`)
  }
  await service.server.service.runHousekeeping()
  expect((await usage()).account.release_bytes.used).toBeLessThan(0.8 * 2 ** 20)
})

test('webhooks and unfinished jobs are limited over all projects of the account', async () => {
  const project = await start('enterprise.webhooks=1,enterprise.unfinished_jobs=1')
  const other = await service.newProject()
  const webhook = { url: 'https://example.com/hook', events: ['page.published'] }
  expect((await service.call('POST', `/projects/${project}/webhooks`, webhook)).status).toBe(201)
  expect(await service.call('POST', `/projects/${other}/webhooks`, webhook)).toMatchObject(
    refusal('webhooks', 1),
  )
  const [first, second] = [idOf(await create(project, 'a')), idOf(await create(other, 'b'))]
  const schedule = (id: string, publish_at: string | null) =>
    service.call('POST', `/pages/${id}/publish`, { publish_at })
  expect((await schedule(first, '2090-01-01T00:00:00Z')).status).toBe(202)
  expect(await schedule(second, '2090-01-01T00:00:00Z')).toMatchObject(refusal('unfinished_jobs', 1))
  // Rescheduling replaces the job.
  expect((await schedule(first, '2091-01-01T00:00:00Z')).status).toBe(202)
  expect((await usage()).account.unfinished_jobs).toEqual({ used: 1, allowed: 1, window: null })
})

test('the operator changes the limits of one account while the service runs', async () => {
  const project = await start('enterprise.pages_per_project=1')
  await create(project, 'a')
  expect((await create(project, 'b')).status).toBe(403)
  const args = ['users', 'limits', `usr_${service.userId}`, '--data', service.data, '--json']
  const settings = await databaseSettings(service.data)
  const set = await startCommand([...args, '--set', 'pages_per_project=2,webhooks=unlimited'], settings).ended
  expect(set.code).toBe(0)
  expect(JSON.parse(set.out).limits).toMatchObject({
    pages_per_project: { used: 1, allowed: 2, own: true },
    webhooks: { used: 0, allowed: null, own: true },
    projects: { used: 1, allowed: null, own: false },
  })
  expect((await create(project, 'b')).status).toBe(201)
  expect((await usage()).account.webhooks.allowed).toBeNull()
  expect((await startCommand([...args, '--reset'], settings).ended).code).toBe(0)
  expect((await create(project, 'c')).status).toBe(403)
})

test('usage reports visits of pages and previews apart from other requests', async () => {
  service = await startService()
  const key = await service.newKey()
  const requests = async () =>
    (await service.call('GET', '/users/me/usage', undefined, { key })).body.data.requests
  expect((await requests()).visits).toEqual({ used: 0, allowed: 1_000, window: '60 s' })
  for (let i = 0; i < 3; i++)
    await service.call('GET', '/public/proj_aaaaaaaaaaaaaaaa/none', undefined, { key })
  expect((await requests()).visits).toEqual({ used: 3, allowed: 1_000, window: '60 s' })
})

test('usage reports each window of the key with its requests', async () => {
  service = await startService()
  const { key } = await service.server.service.accounts.createKey({
    userId: service.userId,
    projectScope: null,
    name: 'standard',
    plan: 'standard',
    permissions: ['read'],
    expiresAt: null,
  })
  const requestsOf = async () =>
    (await service.call('GET', '/users/me/usage', undefined, { key })).body.data.requests
  expect(await requestsOf()).toMatchObject({
    minute: { used: 1, allowed: 100, window: '60 s' },
    burst: { used: 1, allowed: 100, window: '10 s' },
    hour: { used: null, allowed: null, window: '3600 s' },
    month: { used: null, allowed: null, window: 'calendar month' },
  })
  expect((await requestsOf()).minute.used).toBe(2)
})

test('after any operations, what is counted equals what is stored', async () => {
  service = await startService()
  const { writer, reader } = await openServiceDatabase(service.data)
  onTestFinished(async () => {
    await Promise.all([writer.destroy(), reader.destroy()])
  })
  const { call } = service
  const operation = fc.record({
    act: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
    which: fc.nat(),
    size: fc.nat(30_000),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 20 }), async (operations) => {
      const key = await service.newKey()
      const state: State = {
        projects: [await service.newProject()],
        pages: [],
        call: (method, path, body) => call(method, path, body, { key }),
        db: writer,
      }
      for (let start = 0; start < operations.length; start += 4) {
        const some = operations.slice(start, start + 4)
        await Promise.all(some.map(({ act, which, size }) => ACTS[act](state, which, size)))
      }
      const { counted, summed } = await usageAndSums(writer)
      expect(counted).toEqual(summed)
    }),
    { numRuns: 5 },
  )
})

interface State {
  readonly projects: string[]
  readonly pages: string[]
  readonly call: TestService['call']
  readonly db: Knex
}

const pick = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % items.length]

/** Each may be refused: then it has to count nothing. */
const ACTS = {
  async create({ projects, pages, call }: State, which: number, size: number) {
    const project = pick(projects, which)
    if (project === undefined) return
    const body = pageBody(project, { slug: `p-${which}`, markdown_content: `${'é'.repeat(size)}` })
    const { status, body: answer } = await call('POST', '/pages', body)
    if (status === 201) pages.push(answer.data.id)
  },
  async edit({ pages, call }: State, which: number, size: number) {
    await call('PUT', `/pages/${pick(pages, which)}`, {
      markdown_content: randomText(size),
      title: `T ${size}`,
    })
  },
  async publish({ pages, call }: State, which: number) {
    await call('POST', `/pages/${pick(pages, which)}/publish`)
  },
  async publishEdited({ pages, call }: State, which: number, size: number) {
    const subroute = size % 2 === 0 ? 'moved' : ''
    await call('PUT', `/pages/${pick(pages, which)}`, { subroute, status: 'published' })
  },
  async unpublish({ pages, call }: State, which: number) {
    await call('POST', `/pages/${pick(pages, which)}/unpublish`)
  },
  async remove({ pages, call }: State, which: number) {
    await call('DELETE', `/pages/${pick(pages, which)}`)
  },
  async rollBack({ pages, call }: State, which: number) {
    const id = pick(pages, which)
    const { body } = await call('GET', `/pages/${id}/releases`)
    const release = pick<{ id: string }>(body.data ?? [], which)
    await call('POST', `/pages/${id}/rollback`, { release_id: release?.id })
  },
  async settings({ projects, call }: State, which: number, size: number) {
    await call('PUT', `/projects/${pick(projects, which)}/settings`, { footer_text: `Footer ${size % 3}` })
  },
  async bulk({ projects, call }: State, which: number) {
    const { status, body } = await call('POST', `/projects/${pick(projects, which)}/publish`, {
      pages: 'all',
    })
    if (status === 202) await finishedJob(service, body.data.id)
  },
  async schedule({ pages, call }: State, which: number, size: number) {
    const publish_at = size % 3 === 0 ? null : '2090-01-01T00:00:00Z'
    await call('POST', `/pages/${pick(pages, which)}/publish`, { publish_at })
  },
  async webhook({ projects, call }: State, which: number, size: number) {
    const path = `/projects/${pick(projects, which)}/webhooks`
    if (size % 2 === 0) await call('POST', path, { url: 'https://example.com/', events: ['page.updated'] })
    const { body } = await call('GET', path)
    if (size % 3 === 0) await call('DELETE', `${path}/${pick<{ id: string }>(body.data ?? [], size)?.id}`)
  },
  async dataMode({ projects, call }: State, which: number, size: number) {
    const action = size % 2 === 0 ? 'enable' : 'disable'
    await call('POST', `/projects/${pick(projects, which)}/data-mode/${action}`)
  },
  async project({ projects, call }: State, which: number, size: number) {
    if (size % 2 === 0) {
      const { body } = await call('POST', '/projects', { name: `Project ${which}` })
      projects.push(body.data.id)
      return
    }
    const id = pick(projects, which)
    await call('PUT', `/projects/${id}`, { status: 'archived' })
    await call('DELETE', `/projects/${id}`)
  },
  /** As if the releases were old, and the hourly clean-up ran. */
  async prune({ db }: State) {
    await db('releases').whereNotNull('finished_at').update({ created_at: '2020-01-01T00:00:00.000Z' })
    await service.server.service.runHousekeeping()
  },
} as const satisfies Record<string, (state: State, which: number, size: number) => Promise<void>>

/** Text that does not compress well. */
function randomText(length: number): string {
  return Array.from({ length }, () => Math.random().toString(36)[2] ?? ' ').join('')
}

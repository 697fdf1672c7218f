import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { type Family, parseMetrics } from '../support/prometheus.ts'
import { startReceiver } from '../support/receiver.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let isBroken = false

beforeAll(async () => {
  const storage = createMemoryStorage()
  service = await startService({
    env: { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' },
    storage: {
      ...storage,
      async put(object) {
        if (isBroken) throw new Error('The store is out of order.')
        await storage.put(object)
      },
    },
  })
})
afterAll(() => service.close())

/** However slow the machine is. */

async function read(): Promise<ReadonlyMap<string, Family>> {
  const answer = await service.call('GET', '/metrics', undefined, { key: null })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  return parseMetrics(answer.body)
}

/** The sum of a family's samples that have these labels. */
function sum(families: ReadonlyMap<string, Family>, name: string, labels: object = {}, suffix = ''): number {
  const { samples } = families.get(name) ?? expect.unreachable()
  return samples
    .filter((sample) => sample.name === name + suffix)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((total, { value }) => total + value, 0)
}

async function newPage(project: string, slug = 'a-page'): Promise<string> {
  return (await service.call('POST', '/pages', pageBody(project, { slug }))).body.data.id
}

test('what was done is counted, and the whole is as Prometheus reads it', async () => {
  const receiver = await startReceiver()
  const project = await service.newProject()
  await service.call('POST', `/projects/${project}/webhooks`, { url: receiver.url })
  const page = await newPage(project)
  const before = await read()
  for (let i = 0; i < 3; i++) await service.call('POST', `/pages/${page}/publish`)
  await service.call('GET', '/pages/nothing')
  await service.call('GET', `/public/${project}/a-page/`, undefined, { key: null })
  await receiver.first(3)
  await expect
    .poll(async () => sum(await read(), 'quoin_webhook_tries_total', { outcome: 'delivered' }))
    .toBe(3)
  const after = await read()
  const grown = (name: string, labels?: object, suffix?: string) =>
    sum(after, name, labels, suffix) - sum(before, name, labels, suffix)

  const route = '/pages/:id/publish'
  expect(grown('quoin_http_requests_total', { route, method: 'POST', status: '200' })).toBe(3)
  expect(grown('quoin_http_requests_total', { route: '/pages/:id', status: '404' })).toBe(1)
  expect(grown('quoin_http_requests_total', { route: '/public', status: '200' })).toBe(1)
  expect(grown('quoin_http_request_duration_seconds', { route }, '_count')).toBe(3)
  expect(grown('quoin_releases_total', { state: 'live' })).toBe(3)
  for (const phase of ['claim', 'render', 'upload', 'commit'])
    expect(grown('quoin_publish_phase_duration_seconds', { phase }, '_count')).toBe(3)
  expect(grown('quoin_render_duration_seconds', { what: 'page' }, '_count')).toBe(3)
  expect(grown('quoin_store_call_duration_seconds', { operation: 'put' }, '_count')).toBeGreaterThan(0)
  // It waits for two seconds, and may have run by now; each change has it wait again.
  let title = 0
  await expect
    .poll(async () => {
      await service.call('PUT', `/pages/${page}`, { title: `${++title}` })
      await service.call('POST', `/pages/${page}/publish`)
      return sum(await read(), 'quoin_jobs', { kind: 'search-index', state: 'waiting' })
    })
    .toBe(1)
  expect(sum(after, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  await receiver.close()
})

test('a store that fails and a limit that is hit are counted', async () => {
  const page = await newPage(await service.newProject())
  isBroken = true
  expect((await service.call('POST', `/pages/${page}/publish`)).status).toBe(500)
  isBroken = false
  for (let i = 0; i < 110; i++) await service.call('GET', '/users/me', undefined, { key: null })
  const families = await read()
  expect(sum(families, 'quoin_store_errors_total', { operation: 'put' })).toBeGreaterThan(0)
  expect(sum(families, 'quoin_releases_total', { state: 'reverting' })).toBe(1)
  expect(sum(families, 'quoin_http_limited_requests_total', { window: 'minute' })).toBe(10)
})

test('it counts against nothing, and is there when every limit is hit', async () => {
  for (let i = 0; i < 3; i++) await read()
  const answer = await service.call('GET', '/users/me', undefined, { key: null })
  expect(answer.status).toBe(429)
  expect((await read()).size).toBeGreaterThan(10)
})

test('its series do not grow with projects, pages, paths, methods or webhooks', async () => {
  const visit = async (n: number) => {
    const project = await service.newProject(`Project ${n}`)
    const page = await newPage(project, `page-${n}`)
    await service.call('POST', `/pages/${page}/publish`)
    await service.call('GET', `/public/${project}/page-${n}/`, undefined, { key: null })
    await service.call('GET', `/nothing/${n}?q=${n}`)
    await fetch(`${service.url}/pages/${n}`, { method: ['PROPFIND', 'MKCOL', 'LOCK'][n % 3] ?? 'GET' })
  }
  const series = async () =>
    [...(await read()).values()].reduce((all, { samples }) => all + samples.length, 0)
  for (let n = 0; n < 3; n++) await visit(n)
  const before = await series()
  for (let n = 3; n < 18; n++) await visit(n)
  // A kind of job may have come that was not there before.
  expect(await series()).toBeLessThan(before + 10)
  const text = (await service.call('GET', '/metrics', undefined, { key: null })).body
  expect(text).not.toMatch(/proj_|page_|page-\d|127\.0\.0\.1/)
})

test('a publish tells where its time went when it is asked', async () => {
  const page = await newPage(await service.newProject())
  expect((await service.call('POST', `/pages/${page}/publish`)).body.data).not.toHaveProperty('timings')
  await service.call('PUT', `/pages/${page}`, { title: 'Another' })
  const { timings } = (await service.call('POST', `/pages/${page}/publish?timings=true`)).body.data
  expect(Object.keys(timings)).toEqual(
    ['wait', 'claim', 'render', 'upload', 'commit', 'total'].map((name) => `${name}_ms`),
  )
  const { total_ms, ...parts } = timings
  for (const name of ['claim_ms', 'render_ms', 'commit_ms']) expect(parts[name]).toBeGreaterThan(0)
  const summed = Object.values<number>(parts).reduce((all, ms) => all + ms, 0)
  expect(Math.abs(total_ms - summed)).toBeLessThan(1)
})

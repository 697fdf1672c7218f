import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { objectTag } from '../../../src/cdn/cache-tags.ts'
import { type Answer, type Receiver, startReceiver } from '../../support/receiver.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

const TOKEN = 'purge-token-81c4'

let receiver: Receiver
let answer: Answer
let data: string
let service: TestService
/** How far the service's clock is ahead of the real one. */
let ahead: number
const start = () =>
  startService({
    data,
    now: () => new Date(Date.now() + ahead).toISOString(),
    env: { QUOIN_PURGE_URL: receiver.url, QUOIN_PURGE_TOKEN: TOKEN },
  })

beforeEach(async () => {
  ahead = 0
  answer = (_, response) => void response.writeHead(204).end()
  receiver = await startReceiver((...request) => answer(...request))
  data = await mkdtemp(join(tmpdir(), 'quoin-purge-'))
  service = await start()
})
afterEach(async () => {
  await service.close()
  await receiver.close()
  await rm(data, { recursive: true, force: true })
})

async function newPage(project: string, slug = 'a-page'): Promise<string> {
  const { body } = await service.call('POST', '/pages', pageBody(project, { slug, type: 'page' }))
  return body.data.id
}
async function publish(page: string): Promise<void> {
  expect((await service.call('POST', `/pages/${page}/publish`)).status).toBe(200)
}
const purgedTags = () => receiver.got.flatMap(({ body }) => body.tags as string[])
const tagOf = (project: string, key: string) => objectTag(`${project}/${key}`)
const jobs = async () => (await service.call('GET', '/metrics', undefined, { key: null })).body as string

/** Resolves once these tags were purged. */
const purged = (...tags: readonly string[]) =>
  expect.poll(purgedTags).toEqual(expect.arrayContaining([...tags]))

test('a publish purges the page and the indexes that it changed, and no asset or other page', async () => {
  const project = await service.newProject()
  const [first, second] = [await newPage(project, 'first'), await newPage(project, 'second')]
  await publish(first)
  await purged(tagOf(project, 'first/index.html'))
  const before = receiver.got.length
  await publish(second)
  await purged(tagOf(project, 'second/index.html'), tagOf(project, '_index.json'))
  const tags = receiver.got.slice(before).flatMap(({ body }) => body.tags)
  expect(tags).not.toContain(tagOf(project, 'first/index.html'))
  expect(tags).not.toContain(project)
  const html = await (await fetch(`${service.url}/public/${project}/second/`)).text()
  const [, asset = expect.unreachable()] = /(_assets\/[\w.-]+)/.exec(html) ?? []
  expect(tags).not.toContain(tagOf(project, asset))
})

test('a purge has the token, the tags as a header and the addresses of what changed', async () => {
  const project = await service.newProject()
  await publish(await newPage(project))
  const [got = expect.unreachable()] = await receiver.first(1)
  expect(got.headers.authorization).toBe(`Bearer ${TOKEN}`)
  expect(got.headers['surrogate-key']).toBe(got.body.tags.join(' '))
  expect(got.body.urls).toContain(`${service.url}/public/${project}/a-page/`)
})

test('the tags that are purged are those that visitors were answered with', async () => {
  const project = await service.newProject()
  await publish(await newPage(project))
  const page = await fetch(`${service.url}/public/${project}/a-page/`)
  const [, own = expect.unreachable()] = page.headers.get('surrogate-key')?.split(' ') ?? []
  await purged(own)
})

test('an unpublished page is purged', async () => {
  const project = await service.newProject()
  const page = await newPage(project)
  await publish(page)
  await purged(tagOf(project, 'a-page/index.html'))
  const before = receiver.got.length
  await service.call('POST', `/pages/${page}/unpublish`)
  await expect
    .poll(() => receiver.got.slice(before).flatMap(({ body }) => body.tags))
    .toContain(tagOf(project, 'a-page/index.html'))
})

test('a cache that is down neither delays nor fails a publish, and gets everything when it is back', async () => {
  answer = (_, response) => void response.writeHead(500).end('down')
  const project = await service.newProject()
  const pages = [await newPage(project, 'one'), await newPage(project, 'two')]
  for (const page of pages) await publish(page)
  await receiver.first(1)
  answer = (_, response) => void response.writeHead(204).end()
  ahead = 60 * 60 * 1000
  await purged(tagOf(project, 'one/index.html'), tagOf(project, 'two/index.html'))
})

test('what was not purged yet is purged after a restart', async () => {
  answer = (_, response) => void response.writeHead(500).end('down')
  const project = await service.newProject()
  await publish(await newPage(project))
  await receiver.first(1)
  await service.close()
  answer = (_, response) => void response.writeHead(204).end()
  const failed = receiver.got.length
  ahead = 60 * 60 * 1000
  service = await start()
  await expect
    .poll(() => receiver.got.slice(failed).flatMap(({ body }) => body.tags))
    .toContain(tagOf(project, 'a-page/index.html'))
})

test('many publishes that wait together become few purges, each object in one of them', async () => {
  const project = await service.newProject()
  const pages = await Promise.all(
    Array.from({ length: 12 }, (_, number) => newPage(project, `page-${number}`)),
  )
  // The first purge is not answered before all others wait.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  answer = (_, response) => void held.then(() => response.writeHead(204).end())
  await publish(pages[0] ?? expect.unreachable())
  await receiver.first(1)
  for (const page of pages.slice(1)) await publish(page)
  release()
  await purged(...pages.map((_, number) => tagOf(project, `page-${number}/index.html`)))
  // 12 publishes; the search index, which is written seconds later, may have one of its own.
  expect(receiver.got.length).toBeLessThanOrEqual(4)
})

test('everything is purged once more, for answers that were on their way', async () => {
  const project = await service.newProject()
  await publish(await newPage(project))
  const tag = tagOf(project, 'a-page/index.html')
  await purged(tag)
  // The time counts from when the first purge was recorded, which may be later than its request.
  const repeated = () => {
    ahead += 5_000
    return purgedTags().filter((one) => one === tag)
  }
  await expect.poll(repeated).toHaveLength(2)
  ahead += 90_000
  await service.call('POST', `/pages/${await newPage(project, 'later')}/publish`)
  await purged(tagOf(project, 'later/index.html'))
  expect(purgedTags().filter((one) => one === tag)).toHaveLength(2)
})

test('another address of a site, and its deletion, purge all of it', async () => {
  const project = await service.newProject()
  await publish(await newPage(project))
  await service.call('PUT', `/projects/${project}`, { hosting: { subdomain: 'moved' } })
  await purged(project)
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  await expect.poll(() => purgedTags().filter((tag) => tag === project)).toHaveLength(2)
  const before = receiver.got.length
  expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
  await expect.poll(() => receiver.got.slice(before).flatMap(({ body }) => body.tags)).toContain(project)
})

test('purges are counted by their outcome', async () => {
  let requests = 0
  answer = (_, response) =>
    void response.writeHead(++requests === 1 ? 503 : 204, { 'Retry-After': '1' }).end()
  await publish(await newPage(await service.newProject()))
  await expect.poll(jobs).toMatch(/quoin_cache_purges_total\{outcome="purged"\} [1-9]/)
  expect(await jobs()).toContain('quoin_cache_purges_total{outcome="failed"} 1')
})

test('without a CDN no purge is recorded', async () => {
  const plain = await startService()
  try {
    const project = await plain.newProject()
    const { body } = await plain.call('POST', '/pages', pageBody(project, {}))
    await plain.call('POST', `/pages/${body.data.id}/publish`)
    expect((await plain.call('GET', '/metrics', undefined, { key: null })).body).not.toContain('cache-purge')
  } finally {
    await plain.close()
  }
})

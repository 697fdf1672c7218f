import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CDN_SERVICES, type CdnService, parsePurgeUrl } from '../../src/cdn/purge-target.ts'
import { createPurger, PurgeFailed } from '../../src/cdn/purger.ts'
import { createCloudfrontSigner } from '../../src/cdn/sign-cloudfront.ts'
import { send } from '../../src/webhooks/send.ts'
import { AWS_KEYS, CDN_TOKEN, startCdn } from '../support/cdn-server.ts'
import { withEnvironment } from '../support/environment.ts'

let restore: () => void
beforeAll(() => {
  restore = withEnvironment(AWS_KEYS)
})
afterAll(() => restore())

const NOTHING = { tags: [], urls: [], prefixes: [] }
const running = new AbortController().signal

async function startPurger(service: CdnService, by: 'tags' | 'urls', token = CDN_TOKEN) {
  const cdn = await startCdn(service)
  const url = `${service}:ID1?by=${by}&endpoint=${cdn.endpoint}`
  const purge = createPurger({
    target: parsePurgeUrl(url, service === 'cloudfront' ? null : token),
    send: (message, stopping) =>
      send(message, { rules: { allowHttp: true, allowPrivate: true }, resolve: async () => [] }, stopping),
    sign: createCloudfrontSigner(),
    newReference: randomUUID,
  })
  return { cdn, purge: (what: object) => purge({ ...NOTHING, ...what }, running) }
}

describe.each(CDN_SERVICES)('the API of %s', (service) => {
  test('forgets what has the tags, and nothing else', async () => {
    const { cdn, purge } = await startPurger(service, 'tags')
    const page = { url: 'https://a.example/x/', tags: ['proj_a', 'o-1'] }
    const other = { url: 'https://a.example/y/', tags: ['proj_a', 'o-2'] }
    cdn.cached.add(page).add(other)
    await purge({ tags: ['o-1'] })
    expect([...cdn.cached]).toEqual([other])
  })

  test('forgets a whole site by the tag that is its id', async () => {
    const { cdn, purge } = await startPurger(service, 'tags')
    const other = { url: 'https://b.example/', tags: ['proj_b', 'o-3'] }
    cdn.cached.add({ url: 'https://a.example/x/', tags: ['proj_a', 'o-1'] }).add(other)
    await purge({ tags: ['proj_a'] })
    expect([...cdn.cached]).toEqual([other])
  })

  test('is never sent more at once than it accepts', async () => {
    const { cdn, purge } = await startPurger(service, 'tags')
    const tags = Array.from({ length: 600 }, (_, number) => `o-${number}`)
    for (const tag of tags) cdn.cached.add({ url: `https://a.example/${tag}`, tags: [tag] })
    await purge({ tags })
    expect(cdn.cached.size).toBe(0)
  })

  test('is asked for nothing when nothing changed', async () => {
    const { cdn, purge } = await startPurger(service, 'tags')
    await purge({})
    expect(cdn.requests).toEqual([])
  })

  test('says when to come back if it is too busy', async () => {
    const { cdn, purge } = await startPurger(service, 'tags')
    cdn.refuse(429, { 'Retry-After': '17' })
    const failure = await purge({ tags: ['o-1'] }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(PurgeFailed)
    expect(failure).toMatchObject({ retryAfter: 17 })
    expect(String(failure)).toContain('429')
  })
})

describe.each(CDN_SERVICES.filter((service) => service !== 'fastly'))('the API of %s, by URLs', (service) => {
  test('forgets the URLs, and nothing below them', async () => {
    const { cdn, purge } = await startPurger(service, 'urls')
    const below = { url: 'https://a.example/x/y/', tags: [] }
    cdn.cached.add({ url: 'https://a.example/x/', tags: [] }).add(below)
    await purge({ urls: ['https://a.example/x/'] })
    expect([...cdn.cached]).toEqual([below])
  })

  test('forgets everything below a prefix', async () => {
    const { cdn, purge } = await startPurger(service, 'urls')
    const other = { url: 'https://a.example/proj_b/', tags: [] }
    cdn.cached.add({ url: 'https://a.example/proj_a/x/y/', tags: [] }).add(other)
    await purge({ prefixes: ['https://a.example/proj_a'] })
    expect([...cdn.cached]).toEqual([other])
  })
})

test.each(['fastly', 'cloudflare', 'bunny'] as const)(
  'a wrong token of %s is reported without the token',
  async (service) => {
    const { purge } = await startPurger(service, 'tags', 'wrong-token-5521')
    const failure = await purge({ tags: ['o-1'] }).catch((error: unknown) => error)
    expect(String(failure)).toContain('403')
    expect(String(failure)).not.toContain('wrong-token-5521')
  },
)

test('an API that cannot be reached is reported', async () => {
  const purge = createPurger({
    target: parsePurgeUrl('fastly:ID1?endpoint=http://127.0.0.1:1', CDN_TOKEN),
    send: (message, stopping) =>
      send(message, { rules: { allowHttp: true, allowPrivate: true }, resolve: async () => [] }, stopping),
    sign: createCloudfrontSigner(),
    newReference: randomUUID,
  })
  await expect(purge({ ...NOTHING, tags: ['o-1'] }, running)).rejects.toThrow(/fastly.*ECONNREFUSED/)
})

import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { CdnService } from '../../src/cdn/purge-target.ts'

export const CDN_TOKEN = 'cdn-token-3f9a'
export const AWS_KEYS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'aws-secret-77c1' }

interface CdnRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What a request removes: everything that has one of these tags, or is at or below one of these URLs or paths. */
interface Removal {
  readonly tags?: readonly string[]
  readonly urls?: readonly string[]
  readonly prefixes?: readonly string[]
}

/** Reads a request as the documentation of the service describes it. A text is the reason to refuse it. */
type Reading = (request: CdnRequest) => Removal | string

const READINGS: Readonly<Record<CdnService, Reading>> = {
  fastly({ path, headers, body }) {
    if (headers['fastly-key'] !== CDN_TOKEN) return 'The Fastly-Key is wrong.'
    if (path !== '/service/ID1/purge') return 'There is no such service.'
    const { surrogate_keys: tags } = JSON.parse(body)
    return tags.length > 256 ? 'At most 256 keys.' : { tags }
  },
  cloudflare({ path, headers, body }) {
    if (headers.authorization !== `Bearer ${CDN_TOKEN}`) return 'Authentication error'
    if (path !== '/client/v4/zones/ID1/purge_cache') return 'There is no such zone.'
    const { tags, files, prefixes, ...other } = JSON.parse(body)
    if (Object.keys(other).length > 0) return `${Object.keys(other)} is unknown.`
    if ((tags ?? []).length > 100 || (files ?? []).length > 30 || (prefixes ?? []).length > 30)
      return 'Too many operations.'
    if ([...(prefixes ?? [])].some((prefix: string) => prefix.includes('://')))
      return 'Prefixes have no scheme.'
    return { tags, urls: files, prefixes: (prefixes ?? []).map((prefix: string) => `https://${prefix}`) }
  },
  bunny({ path, query, headers, body }) {
    if (headers['accesskey'] !== CDN_TOKEN) return 'The request authorization failed'
    if (path === '/pullzone/ID1/purgeCache') return { tags: [JSON.parse(body).CacheTag] }
    const url = query.get('url')
    if (path !== '/purge' || url === null) return 'Not found.'
    if (url.endsWith('/*')) return { prefixes: [url.slice(0, -2)] }
    // Without exactPath, a URL that ends with a slash would purge everything below it.
    return query.get('exactPath') === 'true' ? { urls: [url] } : { prefixes: [url] }
  },
  cloudfront(request) {
    const { path, body } = request
    if (path !== '/2020-05-31/distribution/ID1/invalidation') return 'NoSuchDistribution'
    if (!isSigned(request)) return 'SignatureDoesNotMatch'
    if (!/<CallerReference>[\w-]+<\/CallerReference>/.test(body)) return 'MissingArgument'
    const items = [...body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, item = '']) =>
      item.replaceAll('&amp;', '&'),
    )
    if (!body.includes(`<Quantity>${items.length}</Quantity>`)) return 'InconsistentQuantities'
    return {
      tags: items.filter((item) => item.startsWith('#')).map((item) => item.slice(1)),
      urls: items.filter((item) => item.startsWith('/')).map((item) => `https://a.example${item}`),
      prefixes: items
        .filter((item) => item.endsWith('/*'))
        .map((item) => `https://a.example${item.slice(0, -2)}`),
    }
  },
}

/** AWS Signature Version 4 as its documentation describes it, independent of the SDK. */
function isSigned({ method, path, headers, body }: CdnRequest): boolean {
  const [, scope = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const signed = names.split(';')
  if (!signed.includes('host') || !signed.includes('x-amz-date')) return false
  const canonical = [
    method,
    path,
    '',
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    createHash('sha256').update(body).digest('hex'),
  ].join('\n')
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const [date = '', region = '', service = '', end = ''] = scope.split('/')
  if (region !== 'us-east-1' || service !== 'cloudfront' || end !== 'aws4_request') return false
  const hmac = (key: string | Buffer, part: string) => createHmac('sha256', key).update(part).digest()
  const key = [date, region, service, end].reduce<string | Buffer>(
    hmac,
    `AWS4${AWS_KEYS.AWS_SECRET_ACCESS_KEY}`,
  )
  return hmac(key, text).toString('hex') === signature
}

export interface CachedAnswer {
  readonly url: string
  readonly tags: readonly string[]
}

/** The API of a CDN on loopback, with the answers that its cache has. */
export interface CdnServer {
  readonly endpoint: string
  /** What is in the cache; the test fills it. */
  readonly cached: Set<CachedAnswer>
  readonly requests: readonly CdnRequest[]
  /** Answers the next requests with this status. */
  refuse(status: number, headers?: Readonly<Record<string, string>>, times?: number): void
}

export async function startCdn(service: CdnService): Promise<CdnServer> {
  const cached = new Set<CachedAnswer>()
  const requests: CdnRequest[] = []
  const refusals: { status: number; headers: Readonly<Record<string, string>> }[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const url = new URL(incoming.url ?? '', 'http://cdn')
    const request = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    }
    requests.push(request)
    const refused = refusals.shift()
    if (refused !== undefined) return response.writeHead(refused.status, refused.headers).end('Refused.')
    const removal = request.method === 'POST' ? READINGS[service](request) : 'Use POST.'
    // An API may repeat what it was sent.
    if (typeof removal === 'string')
      return response.writeHead(403).end(JSON.stringify({ error: removal, got: request.headers }))
    for (const answer of cached) if (isRemoved(answer, removal)) cached.delete(answer)
    return response.writeHead(service === 'cloudfront' ? 201 : 200).end('{"success":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cached,
    requests,
    refuse(status, headers = {}, times = 1) {
      for (let time = 0; time < times; time++) refusals.push({ status, headers })
    },
  }
}

function isRemoved({ url, tags }: CachedAnswer, { tags: gone, urls, prefixes }: Removal): boolean {
  return (
    tags.some((tag) => gone?.includes(tag)) ||
    (urls ?? []).includes(url) ||
    (prefixes ?? []).some((prefix) => url === prefix || url.startsWith(`${prefix}/`))
  )
}

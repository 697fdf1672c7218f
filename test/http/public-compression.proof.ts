import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { storageKey } from '../../src/domain/storage-key.ts'
import { acceptedCoding } from '../../src/http/public/accept-encoding.ts'
import { createCompression } from '../../src/http/public/compression.ts'
import type { OpenObject, Storage } from '../../src/storage/storage.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { sendRaw } from '../support/raw-request.ts'
import { pageBody, startService } from '../support/service.ts'
import { projectId, startSite, type VisitAnswer } from '../support/visited-site.ts'

const TEXT = 'A line that a page has more than once. é 字\n'.repeat(100)

const SITE = {
  'index.html': TEXT,
  'style.css': TEXT,
  'feed.xml': TEXT,
  'sitemap.xml': TEXT,
  'notes/index.md': TEXT,
  'robots.txt': TEXT,
  'logo.svg': TEXT,
  'sealed.json': TEXT,
  '_assets/menu.1234.js': TEXT,
  '404.html': `${TEXT}Lost?`,
  'photo.png': TEXT,
  'photo.webp': TEXT,
  'font.woff2': TEXT,
  'unknown.bin': TEXT,
  'small.txt': 'short',
}

const BROWSER = { 'Accept-Encoding': 'gzip, deflate, br, zstd' }
const GZIP = { 'Accept-Encoding': 'gzip' }
const visitSite = (storage: Storage = createMemoryStorage()) => startSite({ storage, site: SITE })

/** The text that a client reads in the end. */
function read({ headers, bytes }: VisitAnswer): string {
  const coding = headers['content-encoding']
  if (coding === 'br') return String(brotliDecompressSync(bytes))
  return String(coding === 'gzip' ? gunzipSync(bytes) : bytes)
}

describe('a text', () => {
  test.each([
    ...['/', '/style.css', '/feed.xml', '/sitemap.xml', '/notes/index.md', '/robots.txt', '/logo.svg'],
    ...['/sealed.json', '/_assets/menu.1234.js'],
  ])('at %s travels compressed to a browser', async (path) => {
    const visit = await visitSite()
    const [plain, small] = [await visit(path), await visit(path, { headers: BROWSER })]
    expect(small.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': plain.headers['content-type'],
      'cache-control': plain.headers['cache-control'],
      'content-length': String(small.bytes.length),
      vary: path === '/' ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    })
    expect(plain.headers.vary).toBe(small.headers.vary)
    expect(small.bytes.length * 5).toBeLessThan(plain.bytes.length)
    expect(read(small)).toBe(TEXT)
  })

  test.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['X-GZIP', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0, br;q=0.5', 'br'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['br;q=0, gzip;q=0.000', undefined],
    ['gzip;q=2', undefined],
    ['*;q=0', undefined],
  ])('travels as the client asks: %j as %s', async (accepted, coding) => {
    const visit = await visitSite()
    const answer = await visit('/', { headers: { 'Accept-Encoding': accepted } })
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(read(answer)).toBe(TEXT)
  })

  test('is compressed on a missing page too', async () => {
    const visit = await visitSite()
    const answer = await visit('/nothing', { headers: BROWSER })
    expect(answer).toMatchObject({
      status: 404,
      headers: { 'content-encoding': 'br', vary: 'Accept-Encoding' },
    })
    expect(answer.headers.etag).toBeUndefined()
    expect(read(answer)).toBe(SITE['404.html'])
  })

  test('has the same headers for a HEAD, and no body', async () => {
    const visit = await visitSite()
    for (const path of ['/', '/nothing']) {
      const get = await visit(path, { headers: BROWSER })
      const head = await visit(path, { method: 'HEAD', headers: BROWSER })
      const { date: _, ...headers } = get.headers
      expect(head).toMatchObject({ status: get.status, headers, body: '' })
    }
  })
})

describe('what gains nothing', () => {
  test.each(['/photo.png', '/photo.webp', '/font.woff2', '/unknown.bin', '/small.txt'])(
    '%s travels as it is',
    async (path) => {
      const visit = await visitSite()
      const { headers, body } = await visit(path, { headers: BROWSER })
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers['accept-ranges']).toBe('bytes')
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
    },
  )

  test('a picture does not depend on what a client takes', async () => {
    const visit = await visitSite()
    expect((await visit('/photo.png', { headers: BROWSER })).headers.vary).toBeUndefined()
  })

  test('a body of many megabytes is not held in memory', async () => {
    const storage = createMemoryStorage()
    const large = Buffer.alloc(9 * 1024 * 1024, 'text ')
    await storage.put({ key: storageKey(projectId, 'large.txt'), body: large })
    const visit = await visitSite(storage)
    const answer = await visit('/large.txt', { headers: BROWSER })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.bytes.equals(large)).toBe(true)
  })
})

describe('each form of a text', () => {
  test('has a tag of its own, and is not sent twice', async () => {
    const visit = await visitSite()
    const forms = [{}, GZIP, BROWSER]
    const tags = await Promise.all(forms.map(async (headers) => (await visit('/', { headers })).headers.etag))
    expect(new Set(tags).size).toBe(3)
    for (const headers of forms) {
      for (const tag of tags) {
        for (const method of ['GET', 'HEAD']) {
          const asked = { ...headers, 'If-None-Match': `W/${tag}` }
          const answer = await visit('/', { method, headers: asked })
          expect(answer).toMatchObject({
            status: 304,
            body: '',
            headers: { etag: tag, vary: 'Accept, Accept-Encoding' },
          })
          expect(answer.headers['content-encoding']).toBeUndefined()
        }
      }
    }
  })

  test('is compressed again once it is replaced', async () => {
    const storage = createMemoryStorage()
    const visit = await visitSite(storage)
    const { etag = '' } = (await visit('/', { headers: BROWSER })).headers
    const next = TEXT.replaceAll('line', 'word')
    await storage.put({ key: storageKey(projectId, 'index.html'), body: Buffer.from(next) })
    const answer = await visit('/', { headers: { ...BROWSER, 'If-None-Match': etag } })
    expect(answer.status).toBe(200)
    expect(read(answer)).toBe(next)
  })

  test('is cut as it is: a range is never one of compressed bytes', async () => {
    const visit = await visitSite()
    const [plain, small] = [await visit('/'), await visit('/', { headers: BROWSER })]
    expect(small.headers['accept-ranges']).toBeUndefined()

    const part = await visit('/', { headers: { ...BROWSER, Range: 'bytes=2-5' } })
    expect(part).toMatchObject({ status: 206, body: TEXT.slice(2, 6) })
    expect(part.headers).toMatchObject({ etag: plain.headers.etag, vary: plain.headers.vary })
    expect(part.headers['content-encoding']).toBeUndefined()

    const rest = { ...BROWSER, Range: 'bytes=2-5', 'If-Range': small.headers.etag ?? '' }
    const whole = await visit('/', { headers: rest })
    expect(whole.status).toBe(200)
    expect(read(whole)).toBe(TEXT)
  })
})

describe('a published site', () => {
  test('is compressed under /public and on its own host, sealed or not', async () => {
    const service = await startService()
    try {
      const { call } = service
      const project = await service.newProject()
      await call('PUT', `/projects/${project}`, { hosting: { subdomain: 'acme' } })
      const page = { slug: 'long', markdown_content: TEXT }
      const { id } = (await call('POST', '/pages', pageBody(project, page))).body.data
      await call('POST', `/pages/${id}/publish`)

      const headers = { 'Accept-Encoding': 'br' }
      const onOrigin = await sendRaw(service.url, `/public/${project}/long/`, { headers })
      const onHost = await sendRaw(service.url, '/long/', {
        headers: { ...headers, Host: 'acme.sites.quoin.test' },
      })
      for (const { headers } of [onOrigin, onHost]) expect(headers['content-encoding']).toBe('br')

      expect((await call('POST', `/projects/${project}/data-mode/enable`)).status).toBe(200)
      await call('POST', `/pages/${id}/publish`)
      const sealed = await sendRaw(service.url, `/public/${project}/long.json`, { headers })
      expect(sealed.headers['content-encoding']).toBe('br')
    } finally {
      await service.close()
    }
  })

  test('asks the visitor to come again when its store breaks during a read', async () => {
    const storage = createMemoryStorage()
    const broken: Storage = {
      ...storage,
      open: async (key) => {
        const object = await storage.open(key)
        return object && { ...object, stream: () => object.stream().destroy(new Error('The disk is gone.')) }
      },
    }
    const visit = await visitSite(broken)
    const answer = await visit('/', { headers: BROWSER })
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(answer.headers).not.toHaveProperty('etag')
    expect(answer.headers['content-encoding']).toBeUndefined()
  })
})

describe('compressing', () => {
  const versions = (count: number) => Array.from({ length: count }, (_, number) => textObject(`"${number}"`))

  test('is done once for each version, however many ask, and frees every object', async () => {
    const work: string[] = []
    const compress = async (body: Buffer, coding: string) => {
      work.push(coding)
      return body.subarray(0, 10)
    }
    const compression = createCompression({ compress })
    const asked = Array.from({ length: 50 }, () => textObject('"1"'))
    const bodies = await Promise.all(asked.map((object) => compression.body('a', object, 'br')))
    bodies.push(await compression.body('a', textObject('"1"'), 'br'))
    expect(new Set(bodies.map(String)).size).toBe(1)
    expect(work).toEqual(['br'])
    expect(asked.every(({ freed }) => freed())).toBe(true)
    await compression.body('a', textObject('"1"'), 'gzip')
    await compression.body('a', textObject('"2"'), 'br')
    await compression.body('b', textObject('"1"'), 'br')
    expect(work).toEqual(['br', 'gzip', 'br', 'br'])
  })

  test('runs for a few at a time; a flood of visitors gets texts as they are', async () => {
    const ends: (() => void)[] = []
    let [running, most] = [0, 0]
    const compress = async (body: Buffer) => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running -= 1
      return body
    }
    const compression = createCompression({ compress })
    const asking = versions(200).map((object) => compression.body('a', object, 'br'))
    let open = true
    const answers = Promise.all(asking).finally(() => {
      open = false
    })
    while (open) {
      for (const end of ends.splice(0)) end()
      await new Promise(setImmediate)
    }
    const compressed = (await answers).filter((body) => body !== null)
    expect(compressed).toHaveLength(32)
    expect(most).toBe(2)
  })

  test('keeps no more than it may', async () => {
    let work = 0
    const compress = async () => {
      work += 1
      return Buffer.alloc(600 * 1024)
    }
    const compression = createCompression({ compress, cacheBytes: 1024 * 1024 })
    for (const object of [...versions(2), ...versions(2)]) await compression.body('a', object, 'br')
    expect(work).toBe(4)
  })

  test('is tried again by the next visitor when it fails', async () => {
    let attempts = 0
    const compression = createCompression({
      compress: async (body) => {
        attempts += 1
        if (attempts === 1) throw new Error('No memory.')
        return body
      },
    })
    await expect(compression.body('a', textObject('"1"'), 'br')).rejects.toThrow('No memory.')
    expect(await compression.body('a', textObject('"1"'), 'br')).not.toBeNull()
  })

  test('follows any header to a coding it takes, or none', () => {
    const part = fc.tuple(
      fc.constantFrom('br', 'gzip', 'identity', '*', 'zstd', '', '"', 'BR '),
      fc.constantFrom('', ';q=0', ';q=0.5', '; q=1', ';q=x', ';;', ';level=9'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const coding = acceptedCoding(parts.map((pieces) => pieces.join('')).join(','))
        const named = parts.map(([name]) => name.trim().toLowerCase())
        if (coding !== null) expect(named.includes(coding) || named.includes('*')).toBe(true)
      }),
    )
  })
})

/** An open text that tells whether it was freed. */
function textObject(etag: string): OpenObject & { readonly freed: () => boolean } {
  let freed = false
  return {
    size: 2048,
    etag,
    headers: { contentType: 'text/html', cacheControl: '' },
    bufferedBytes: 0,
    stream: () => {
      freed = true
      return Readable.from([Buffer.alloc(2048)])
    },
    close: async () => {
      freed = true
    },
    freed: () => freed,
  }
}

import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { Context } from 'koa'
import { describe, expect, test } from 'vitest'
import { createCompression } from '../../../src/http/public/compression.ts'
import { redirect, serveErrorPage, serveObject } from '../../../src/http/public/serve-object.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { contextOf } from '../../support/koa-context.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'

const PAGE = Buffer.from(`<p>${'Text. '.repeat(500)}</p>`)
const PICTURE = Buffer.from(Array.from({ length: 3_000 }, (_, n) => n % 251))
const BODIES = {
  'a/index.html': PAGE,
  'a.png': PICTURE,
  'small.txt': Buffer.from('Hi.'),
  'empty.txt': Buffer.alloc(0),
  'plan.svgz': gzipSync(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(3_000)}</svg>`),
}
type Key = keyof typeof BODIES

/** A storage of these objects that counts the ones that are open. */
async function siteOf() {
  const memory = createMemoryStorage()
  for (const [key, body] of Object.entries(BODIES)) await memory.put({ key, body })
  let open = 0
  const storage: Pick<Storage, 'open'> = {
    async open(key, options) {
      const object = await memory.open(key, options)
      if (object === null) return null
      open += 1
      const release = <T>(value: T): T => {
        open -= 1
        return value
      }
      return {
        ...object,
        stream: (range) => release(object.stream(range)),
        close: async () => release(undefined),
      }
    },
  }
  return { storage, compression: createCompression(), openObjects: () => open }
}

const notMoved = async () => null
async function bytesOf({ body }: Context): Promise<Buffer> {
  if (body === undefined || body === null) return Buffer.alloc(0)
  return Buffer.isBuffer(body) ? body : typeof body === 'string' ? Buffer.from(body) : buffer(body as never)
}

async function serve(
  key: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', movedTo = notMoved as Parameters<typeof serveObject>[3] } = {},
) {
  const site = await siteOf()
  const ctx = contextOf(method, '/a/?b=c', headers)
  const found = await serveObject(ctx, site, key, movedTo)
  const get = (name: string) => String(ctx.response.headers[name.toLowerCase()] ?? '')
  return { ctx, found, status: ctx.status, get, bytes: await bytesOf(ctx), open: site.openObjects() }
}

describe('an object of a published site', () => {
  test('is not answered when it does not exist, so that the caller can answer it', async () => {
    expect(await serve('none.html')).toMatchObject({ found: false, status: 404, open: 0 })
  })

  test.each(Object.keys(BODIES) as Key[])('%s is sent as it is stored, with its type', async (key) => {
    const { status, bytes, get, ctx, open } = await serve(key)
    expect(status).toBe(200)
    expect(bytes).toEqual(BODIES[key])
    expect(ctx.length).toBe(BODIES[key].length)
    expect(get('X-Content-Type-Options')).toBe('nosniff')
    expect(get('Content-Type')).not.toBe('')
    expect(open).toBe(0)
  })

  test('is compressed for clients that accept it when it is a text that is worth it', async () => {
    const { bytes, get } = await serve('a/index.html', { 'Accept-Encoding': 'gzip' })
    expect(get('Content-Encoding')).toBe('gzip')
    expect(gunzipSync(bytes)).toEqual(PAGE)
    for (const key of ['a.png', 'small.txt'])
      expect((await serve(key, { 'Accept-Encoding': 'gzip, br' })).get('Content-Encoding')).toBe('')
    expect(get('Vary')).toBe('Accept-Encoding')
    expect((await serve('a.png')).get('Vary')).toBe('')
  })

  test('says so when it is stored compressed, and is not compressed again', async () => {
    for (const accepted of ['identity', 'gzip', 'br']) {
      const { bytes, get } = await serve('plan.svgz', { 'Accept-Encoding': accepted })
      expect([get('Content-Type'), get('Content-Encoding'), get('Vary')]).toEqual([
        'image/svg+xml',
        'gzip',
        '',
      ])
      expect(bytes).toEqual(BODIES['plan.svgz'])
    }
  })

  test('has a tag of its own in each coding, and each answers 304', async () => {
    const tags = new Set<string>()
    for (const coding of ['identity', 'gzip', 'br']) {
      const tag = (await serve('a/index.html', { 'Accept-Encoding': coding })).get('ETag')
      tags.add(tag)
      for (const accepted of ['identity', 'gzip', 'br']) {
        const headers = { 'Accept-Encoding': accepted, 'If-None-Match': tag }
        const { status, get, bytes, open } = await serve('a/index.html', headers)
        expect({ status, open, tag: get('ETag'), bytes: bytes.length }).toEqual({
          status: 304,
          open: 0,
          tag,
          bytes: 0,
        })
      }
    }
    expect(tags.size).toBe(3)
  })

  test('is sent whole to a client that has another version', async () => {
    expect((await serve('a/index.html', { 'If-None-Match': '"old"' })).status).toBe(200)
  })

  test('is described to a HEAD as to a GET, without a body', async () => {
    const head = await serve('a.png', {}, { method: 'HEAD' })
    expect(head.bytes).toHaveLength(0)
    expect(head.open).toBe(0)
    expect(head.ctx.length).toBe(PICTURE.length)
    expect(head.get('ETag')).toBe((await serve('a.png')).get('ETag'))
  })

  test('redirects with the query when it has moved, and is not cached as moved', async () => {
    const { status, get, open } = await serve(
      'a/index.html',
      {},
      { movedTo: async () => ({ href: '/new/', status: 308 }) },
    )
    expect({ status, location: get('Location'), cache: get('Cache-Control'), open }).toEqual({
      status: 308,
      location: '/new/?b=c',
      cache: 'no-cache',
      open: 0,
    })
  })
})

describe('a range of an object', () => {
  test('is exactly those bytes of it, and parts put together are the whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 2_999 }), fc.nat({ max: 4_000 }), async (start, end) => {
        const { status, bytes, get, ctx, open } = await serve('a.png', { Range: `bytes=${start}-${end}` })
        if (end < start) {
          expect(status).toBe(200)
          return
        }
        expect(status).toBe(206)
        expect(bytes).toEqual(PICTURE.subarray(start, end + 1))
        expect(ctx.length).toBe(bytes.length)
        expect(get('Content-Range')).toBe(`bytes ${start}-${start + bytes.length - 1}/3000`)
        expect(open).toBe(0)
      }),
    )
  })

  test('is never compressed, so that parts fit together', async () => {
    const { get, bytes } = await serve('a/index.html', { Range: 'bytes=0-9', 'Accept-Encoding': 'br, gzip' })
    expect(get('Content-Encoding')).toBe('')
    expect(bytes).toEqual(PAGE.subarray(0, 10))
  })

  test.each(['a.png', 'empty.txt'])(
    'outside of %s is refused with its size, and is not cached',
    async (key) => {
      const { status, get, open } = await serve(key, { Range: 'bytes=3000-' })
      expect({ status, open, cache: get('Cache-Control') }).toEqual({
        status: 416,
        open: 0,
        cache: 'no-store',
      })
      expect(get('Content-Range')).toBe(`bytes */${BODIES[key as Key].length}`)
    },
  )

  test('is sent only while If-Range names the current version, and never to a HEAD', async () => {
    const etag = (await serve('a.png')).get('ETag')
    const range = { Range: 'bytes=0-9' }
    expect((await serve('a.png', { ...range, 'If-Range': etag })).status).toBe(206)
    for (const other of ['"old"', `W/${etag}`, new Date(0).toUTCString()])
      expect((await serve('a.png', { ...range, 'If-Range': other })).status).toBe(200)
    expect((await serve('a.png', range, { method: 'HEAD' })).status).toBe(200)
  })
})

test('an error page is sent whole whatever the client asks for, and is not kept', async () => {
  const site = await siteOf()
  const ctx = contextOf('GET', '/', { Range: 'bytes=0-1', 'If-None-Match': '*' })
  expect(await serveErrorPage(ctx, site, 'a/index.html', 404)).toBe(true)
  expect(ctx.status).toBe(404)
  expect(await bytesOf(ctx)).toEqual(PAGE)
  expect(ctx.response.get('Cache-Control')).toBe('no-cache')
  for (const name of ['etag', 'accept-ranges', 'content-range'])
    expect(ctx.response.headers).not.toHaveProperty(name)
  expect(await serveErrorPage(contextOf('GET', '/'), site, 'none.html', 404)).toBe(false)
})

test('a redirect keeps a query as it was sent, question marks included', () => {
  const ctx = contextOf('GET', '/a?b=c?d&e=%20')
  redirect(ctx, '/new/')
  expect(ctx.response.get('Location')).toBe('/new/?b=c?d&e=%20')
})

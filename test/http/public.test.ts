import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRange } from '../../src/domain/byte-range.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { storageKey } from '../../src/domain/storage-key.ts'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'
import type { OpenObject, Storage } from '../../src/storage/storage.ts'
import { runs } from '../support/long-form.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { openFilesBeneath, temporaryFolder } from '../support/temporary-folder.ts'
import { MOUNT, projectId, type SiteOptions, startSite as startAnySite } from '../support/visited-site.ts'

const otherProject = 'zzzzzzzz23456789' as ProjectId

const onLinux = process.platform === 'linux'

const SITE = {
  'index.html': '<h1>Home</h1>',
  'docs/install/index.html': '<h1>Install</h1>',
  'docs/install/index.md': '# Install',
  '_index.json': '{}',
  '_assets/style.1234.css': 'body {}',
  '404.html': '<h1>Lost?</h1>',
  'über uns/index.html': 'Über uns',
  'digits.txt': '0123456789',
}

const startSite = (options: Partial<SiteOptions> = {}) => startAnySite({ site: SITE, ...options })

describe('a visitor', () => {
  test.each([
    ['/', '<h1>Home</h1>', 'text/html; charset=utf-8'],
    ['/docs/install/', '<h1>Install</h1>', 'text/html; charset=utf-8'],
    ['/docs/install/?utm=1', '<h1>Install</h1>', 'text/html; charset=utf-8'],
    ['/docs/install/index.html', '<h1>Install</h1>', 'text/html; charset=utf-8'],
    ['/docs/install/index.md', '# Install', 'text/markdown; charset=utf-8'],
    ['/%64ocs/install/', '<h1>Install</h1>', 'text/html; charset=utf-8'],
    ['/%C3%BCber%20uns/', 'Über uns', 'text/html; charset=utf-8'],
    ['/_index.json', '{}', 'application/json; charset=utf-8'],
  ])('asks for %j and reads %j', async (path, body, contentType) => {
    const visit = await startSite()
    const answer = await visit(path)
    expect(answer).toMatchObject({ status: 200, body })
    expect(answer.headers).toMatchObject({
      'content-type': contentType,
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'public, max-age=0, must-revalidate',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    })
    expect(answer.headers.etag).toMatch(/^"/)
  })

  test('may keep assets for good', async () => {
    const visit = await startSite()
    const { headers } = await visit('/_assets/style.1234.css')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test.each([
    ['/docs/install', './install/'],
    ['/docs/install?a=1&b=/x?y', './install/?a=1&b=/x?y'],
    ['/%C3%BCber%20uns?q', './%C3%BCber%20uns/?q'],
    ['', `./proj_${projectId}/`],
    ['?q=1', `./proj_${projectId}/?q=1`],
  ])('is sent, after leaving out the slash of %j, to %j', async (path, location) => {
    const visit = await startSite()
    const answer = await visit(path)
    expect(answer).toMatchObject({ status: 308, headers: { location, 'cache-control': 'no-cache' } })
    const target = new URL(location, `http://host${MOUNT}${path}`)
    expect((await visit(target.href.slice(`http://host${MOUNT}`.length))).status).toBe(200)
  })

  test.each([
    '/nothing',
    '/nothing/',
    '/docs',
    '/docs/',
    '/index.html/',
    '/docs//install/',
    '//',
    '/..',
    '/../',
    '/./index.html',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%2E%2E%2Fsecret.txt',
    '/docs%2Finstall/',
    '/%00',
    '/index.html%00',
    '/%',
    '/%zz',
    '/%c0%ae%c0%ae/',
    '/%ff',
    '/..%5csecret.txt',
    '/%252e%252e/',
    '/.git/config',
    `/${'long'.repeat(1000)}`,
    `/${'a/'.repeat(500)}`,
    `/${'n'.repeat(300)}/`,
  ])('asks for %j and gets the site’s own 404', async (path) => {
    for (const storage of [createMemoryStorage(), await folderStorage()]) {
      const visit = await startSite({ storage })
      const answer = await visit(path)
      expect(answer).toMatchObject({ status: 404, body: '<h1>Lost?</h1>' })
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      })
      expect(answer.headers.etag).toBeUndefined()
    }
  })

  test('never leaves the site nor sees a fault, whatever the path', async () => {
    const storage = await folderStorage()
    const visit = await startSite({ storage })
    await storage.put({ key: storageKey(otherProject, 'secret.txt'), body: Buffer.from('SECRET') })
    const piece = fc.constantFrom(
      ...[
        '/',
        '//',
        '..',
        '.',
        '%2e',
        '%2E%2e',
        '%252e',
        '%2f',
        '%5c',
        '\\',
        '%00',
        '%',
        '%zz',
        '%c0%ae',
        ';',
        '~',
        ':',
      ],
      ...[
        `proj_${otherProject}`,
        'secret.txt',
        'docs',
        'install',
        'index.html',
        '?',
        '#',
        '%0d%0aX:y',
        '%ED%A0%BD',
      ],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const answer = await visit(`/${pieces.join('')}`)
        expect(answer.status).toBeLessThan(500)
        expect(answer.body).not.toContain('SECRET')
      }),
      { numRuns: runs(300) },
    )
  })

  test('sees a plain 404 where the site has none', async () => {
    const visit = await startSite({ site: {} })
    const answer = await visit('/nothing')
    expect(answer.status).toBe(404)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    })
    expect(answer.body).toContain('<h1>Page not found</h1>')
  })

  test('sees nothing of a site that is not available, not even its 404', async () => {
    const visit = await startSite({ isAvailable: false })
    for (const path of ['', '/', '/docs/install', '/_index.json', '/nothing']) {
      const answer = await visit(path)
      expect(answer.status).toBe(404)
      expect(answer.body).toContain('<h1>Page not found</h1>')
    }
  })

  test('may only GET and HEAD', async () => {
    const visit = await startSite()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await visit('/', { method })
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
    }
  })

  test.each(['/', '/nothing', '/docs/install', ''])(
    'a HEAD of %j has the headers of its GET and no body',
    async (path) => {
      const visit = await startSite()
      const [get, head] = [await visit(path), await visit(path, { method: 'HEAD' })]
      const { date: _, ...headers } = get.headers
      expect(head).toMatchObject({ status: get.status, headers, body: '' })
    },
  )

  test('meets a sandbox on the API’s own origin, and none elsewhere', async () => {
    const policy = 'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'
    const [sandboxed, own] = [await startSite({ sandboxed: true }), await startSite({ sandboxed: false })]
    for (const path of ['/', '/nothing', '/docs/install', '/digits.txt']) {
      expect((await sandboxed(path)).headers['content-security-policy']).toBe(policy)
      expect((await own(path)).headers['content-security-policy']).toBeUndefined()
    }
  })
})

describe('a client that prefers Markdown', () => {
  const site = {
    'docs/index.html': '<h1>Docs</h1>',
    'docs/index.md': '# Docs\n\nTwenty-nine characters.\n',
    'list/index.html': '<h1>List</h1>',
    'style.css': 'a{}',
    '404.html': '<h1>Lost</h1>',
  }
  const asking = (accept: string) => ({ headers: { Accept: accept } })

  test.each(['text/markdown', 'text/markdown, text/html;q=0.9, */*;q=0.1'])(
    'is led to the text of a page if it says so by %s',
    async (accept) => {
      const visit = await startSite({ site })
      const answer = await visit('/docs/', asking(accept))
      // No cache stores a redirect, so a cache that ignores Vary shows no Markdown to browsers.
      expect(answer).toMatchObject({
        status: 302,
        headers: {
          location: 'index.md',
          'cache-control': 'no-cache',
          vary: expect.stringMatching(/\bAccept\b(?!-)/),
        },
      })
      expect(await visit('/docs/index.md', asking(accept))).toMatchObject({
        status: 200,
        body: site['docs/index.md'],
        headers: { 'content-type': 'text/markdown; charset=utf-8', 'x-markdown-tokens': '8' },
      })
    },
  )

  test('gets HTML where a page has no Markdown, and files as they are', async () => {
    const visit = await startSite({ site })
    expect(await visit('/list/', asking('text/markdown'))).toMatchObject({
      status: 200,
      body: site['list/index.html'],
    })
    expect((await visit('/style.css', asking('text/markdown'))).headers.vary).toBe('Accept-Encoding')
    expect((await visit('/none/', asking('text/markdown'))).status).toBe(404)
    expect((await visit('/docs', asking('text/markdown'))).headers.location).toBe('./docs/')
  })

  test.each([
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    '*/*',
    'text/*',
    'text/html, text/markdown;q=0.5',
    'application/json',
    ',;q=,=',
  ])('is none that asks for %s', async (accept) => {
    const visit = await startSite({ site })
    const answer = await visit('/docs/', asking(accept))
    expect(answer).toMatchObject({ status: 200, body: site['docs/index.html'] })
    expect(answer.headers.vary).toMatch(/\bAccept\b(?!-)/)
  })
})

describe('a client that has the object', () => {
  test.each([
    (etag: string) => etag,
    (etag: string) => `W/${etag}`,
    (etag: string) => `"other", W/"more,commas" ,${etag}`,
    () => '*',
  ])('gets that answer (%#)', async (ifNoneMatch) => {
    const visit = await startSite()
    const { etag = '' } = (await visit('/digits.txt')).headers
    for (const method of ['GET', 'HEAD']) {
      const answer = await visit('/digits.txt', { method, headers: { 'If-None-Match': ifNoneMatch(etag) } })
      expect(answer).toMatchObject({ status: 304, body: '', headers: { etag } })
      expect(answer.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
      expect(answer.headers['content-length']).toBeUndefined()
    }
  })

  test.each(['"other"', 'W/"other"', '', 'no quotes', '"', '"*"'])(
    'gets the object whole when it has another version (%j)',
    async (tag) => {
      const visit = await startSite()
      const answer = await visit('/digits.txt', { headers: { 'If-None-Match': tag } })
      expect(answer).toMatchObject({ status: 200, body: '0123456789' })
    },
  )

  test('gets the new version once it is replaced', async () => {
    const storage = createMemoryStorage()
    const visit = await startSite({ storage })
    const { etag = '' } = (await visit('/')).headers
    await storage.put({ key: storageKey(projectId, 'index.html'), body: Buffer.from('new') })
    expect(await visit('/', { headers: { 'If-None-Match': etag } })).toMatchObject({
      status: 200,
      body: 'new',
    })
  })

  test('is not answered 304 where there is nothing', async () => {
    const visit = await startSite()
    expect((await visit('/nothing', { headers: { 'If-None-Match': '*' } })).status).toBe(404)
  })
})

describe('a range', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
    ['bytes=5-999', '56789', 'bytes 5-9/10'],
    ['bytes=-999', '0123456789', 'bytes 0-9/10'],
    ['Bytes=0-0', '0', 'bytes 0-0/10'],
  ])('%j is answered %j', async (range, body, contentRange) => {
    const visit = await startSite()
    const answer = await visit('/digits.txt', { headers: { Range: range } })
    expect(answer).toMatchObject({ status: 206, body })
    expect(answer.headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(body.length),
    })
  })

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    '%j cannot be satisfied',
    async (range) => {
      const visit = await startSite()
      const answer = await visit('/digits.txt', { headers: { Range: range } })
      expect(answer).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } })
      expect(answer.body).not.toContain('0123')
    },
  )

  test.each([
    'bytes=0-1,3-4',
    'bytes=5-2',
    'bytes=-',
    'bytes=a-b',
    'bytes 0-1',
    'lines=0-1',
    '',
    '0-1',
    'bytes=--1',
  ])('%j is answered with the whole', async (range) => {
    const visit = await startSite()
    const answer = await visit('/digits.txt', { headers: { Range: range } })
    expect(answer).toMatchObject({ status: 200, body: '0123456789' })
    expect(answer.headers['content-range']).toBeUndefined()
  })

  test('with If-Range counts only on the very version', async () => {
    const visit = await startSite()
    const { etag = '' } = (await visit('/digits.txt')).headers
    const ranged = (ifRange: string) =>
      visit('/digits.txt', { headers: { Range: 'bytes=0-1', 'If-Range': ifRange } })
    expect((await ranged(etag)).status).toBe(206)
    expect((await ranged(`W/${etag}`)).status).toBe(200)
    expect((await ranged('"other"')).status).toBe(200)
    expect((await ranged(new Date(0).toUTCString())).status).toBe(200)
  })

  test('is ignored for a HEAD and for a 404', async () => {
    const visit = await startSite()
    const headers = { Range: 'bytes=0-1' }
    expect(await visit('/digits.txt', { method: 'HEAD', headers })).toMatchObject({ status: 200 })
    expect(await visit('/nothing', { headers })).toMatchObject({ status: 404, body: '<h1>Lost?</h1>' })
  })

  test('names bytes the object has, or none', () => {
    const number = fc.oneof(fc.constant(''), fc.nat({ max: 30 }).map(String))
    fc.assert(
      fc.property(number, number, fc.nat({ max: 20 }), (first, last, size) => {
        const range = readRange(`bytes=${first}-${last}`, size)
        if (range === null || range === 'unsatisfiable') return
        expect(range.start).toBeGreaterThanOrEqual(0)
        expect(range.end).toBeGreaterThanOrEqual(range.start)
        expect(range.end).toBeLessThan(size)
      }),
    )
  })
})

describe('an object that was opened', () => {
  test.runIf(onLinux)('is freed by every answer, and by clients that go away', async () => {
    const folder = await temporaryFolder()
    const { storage, held } = counted(createLocalFolderStorage({ root: join(folder, 'cdn') }))
    const visit = await startSite({ storage })
    await storage.put({ key: storageKey(projectId, 'big.bin'), body: Buffer.alloc(5 * 1024 * 1024) })
    const { etag = '' } = (await visit('/big.bin')).headers
    for (let round = 0; round < 10; round += 1) {
      await visit('/big.bin', { headers: { 'If-None-Match': etag } })
      await visit('/big.bin', { method: 'HEAD' })
      await visit('/big.bin', { headers: { Range: 'bytes=99999999-' } })
      await visit('/docs/install')
      await visit('/nothing', { method: 'HEAD' })
      await Promise.all(Array.from({ length: 10 }, () => visit('/big.bin', { leaveAfterFirstChunk: true })))
    }
    await until(async () => held.size === 0 && (await openFilesBeneath(folder)).length === 0)
  })

  test('is freed when the client is gone before it was open', async () => {
    const { storage, held } = counted(createMemoryStorage())
    const gone = new Set<number>()
    let opened = 0
    const slow: Storage = {
      ...storage,
      open: async (key) => {
        await until(async () => gone.size === 10)
        opened += 1
        return storage.open(key)
      },
    }
    const visit = await startSite({ storage: slow, onGone: (visitor) => gone.add(visitor) })
    await Promise.all(Array.from({ length: 10 }, () => visit('/', { leaveAtOnce: true })))
    await until(async () => opened === 10 && held.size === 0)
  })
})

/** The storage, and which of its open objects were not freed yet. */
function counted(storage: Storage): { readonly storage: Storage; readonly held: ReadonlySet<OpenObject> } {
  const held = new Set<OpenObject>()
  const open = async (key: string): Promise<OpenObject | null> => {
    const object = await storage.open(key)
    if (object === null) return null
    held.add(object)
    return {
      ...object,
      stream: (range) => object.stream(range).once('close', () => held.delete(object)),
      close: async () => {
        held.delete(object)
        await object.close()
      },
    }
  }
  return { storage: { ...storage, open }, held }
}

/** Waits as long as it takes; the test's own limit ends it. */
async function until(claim: () => Promise<boolean>): Promise<void> {
  while (!(await claim())) await new Promise(setImmediate)
}

async function folderStorage(): Promise<Storage> {
  return createLocalFolderStorage({ root: await temporaryFolder(), sync: false })
}

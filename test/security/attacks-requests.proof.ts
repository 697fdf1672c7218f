import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

/* Raw requests that no HTTP client sends: malformed paths, headers and framing. */

let service: TestService
let project: string
let page: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  page = (await service.call('POST', '/pages', pageBody(project, { slug: 'hello', subroute: 'a' }))).body.data
    .id
  await service.call('POST', `/pages/${page}/publish`)
})
afterAll(() => service.close())

/** The whole response of the service to these bytes. */
async function talk(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  // A refused request may be cut off; a request without a response times out here.
  socket.on('error', () => {})
  socket.setTimeout(5_000, () => socket.destroySoon())
  socket.write(Buffer.from(bytes, 'latin1'))
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

const lines = (...given: readonly string[]) => `${given.join('\r\n')}\r\n\r\n`
const get = (path: string, ...headers: readonly string[]) =>
  talk(lines(`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers))
const authorized = () => `Authorization: Bearer ${service.key}`
const statuses = (answer: string) =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, code]) => Number(code))
const header = (answer: string, name: string) =>
  new RegExp(`^${name}: (.*)\r$`, 'im').exec(answer.split('\r\n\r\n')[0] ?? '')?.[1] ?? null

describe('a path of a site', () => {
  const secret = () => `proj_${'a'.repeat(16)}`
  const PATHS = [
    ...['/..', '/../', '/../../../../../etc/passwd', '/%2e%2e/%2e%2e/quoin.db', '/%252e%252e%252fquoin.db'],
    ...[
      '/..%2f..%2fquoin.db',
      '/..%5c..%5cquoin.db',
      '/..\\..\\quoin.db',
      '/....//....//quoin.db',
      '/%00',
      '/a%00.html',
    ],
    ...[
      '/%c0%ae%c0%ae/%c0%afquoin.db',
      '/%e0%80%ae/',
      '/\xff\xfe',
      '/;/../master.key',
      '/a/..;/..;/master.key',
    ],
    ...[
      '/.%2e/',
      '/.',
      '/./',
      '//etc/passwd',
      '/~root',
      '/%u002e%u002e/',
      '/C:/',
      '/con',
      '/%7fquoin-',
      '/.%00./',
    ],
    ...[
      '/_index.json/',
      '/_index.json/..',
      '/_nav/',
      '/_assets/',
      '/a/hello/index.html/',
      '/a//hello/',
      '/A/HELLO/',
    ],
    ...[`/${'a/'.repeat(7000)}`, `/${'%2e'.repeat(4500)}`, `/${'.'.repeat(15_000)}`],
  ]

  test.each(PATHS)('%j exposes no other file', async (path) => {
    for (const start of [
      `/public/${project}`,
      `/public/${secret()}`,
      `http://localhost/public/${project}`,
      '/public',
    ]) {
      const answer = await get(start + path)
      const [status = 0, ...others] = statuses(answer)
      expect(others).toEqual([])
      expect([308, 404, 413, 422]).toContain(status)
      expect(answer).not.toMatch(/root:x|SQLite format|"wordCount"/)
      if (status === 308) expectOwnRedirect(start + path, header(answer, 'Location'))
    }
  })

  test('the same paths expose no file of a preview', async () => {
    for (const path of PATHS) {
      const [status = 0] = statuses(await get(`/render/_assets${path}`))
      expect([401, 404, 413, 422]).toContain(status)
    }
  })

  test('redirects only to its own origin', async () => {
    const paths = [
      ...[`/public/${project}`, `/public/${project}/a/hello`, `/public/${project}/a/hello?to=//evil.test/`],
      ...[
        `/public/${project}/a/%68ello`,
        `http://evil.test/public/${project}/a/hello`,
        `/public/${project}/a/hello?a\\b`,
      ],
      ...[`//evil.test/public/${project}/a/hello`, `/public/${project}//evil.test/a/hello`],
    ]
    const seen = await Promise.all(
      paths.map(async (path) => {
        const answer = await get(path)
        expectOwnRedirect(path, header(answer, 'Location'))
        return statuses(answer)[0]
      }),
    )
    expect(seen.filter((status) => status === 308).length).toBeGreaterThanOrEqual(5)
  })

  function expectOwnRedirect(path: string, location: string | null): void {
    if (location === null) return
    const from = path.startsWith('http') ? path : `http://localhost${path}`
    const to = new URL(location, from)
    expect([to.origin, to.pathname]).toEqual([
      new URL(from).origin,
      expect.stringMatching(/^(\/\/evil\.test)?\/public\//),
    ])
  }
})

describe('a tenant’s site on the service’s own origin', () => {
  test('has the sandbox policy and `nosniff` on every response', async () => {
    const tag = header(await get(`/public/${project}/a/hello/`), 'ETag')
    const requests: readonly (readonly [number, string, ...string[]])[] = [
      [200, '/a/hello/'],
      [200, '/a/hello/index.html'],
      [200, '/_index.json'],
      [304, '/a/hello/', `If-None-Match: ${tag}`],
      [206, '/a/hello/', 'Range: bytes=0-5'],
      [416, '/a/hello/', 'Range: bytes=9999999-'],
      [308, '/a/hello'],
      [308, ''],
      [404, '/nothing'],
      [404, '/%2e%2e/'],
    ]
    for (const [status, path, ...headers] of requests) {
      const answer = await get(`/public/${project}${path}`, ...headers)
      expect([path, statuses(answer)]).toEqual([path, [status]])
      expect(header(answer, 'Content-Security-Policy')).toMatch(/^sandbox (?!.*allow-same-origin)/)
      expect(header(answer, 'X-Content-Type-Options')).toBe('nosniff')
    }
  })

  test('has the sandbox policy in a preview, which must not be stored or indexed', async () => {
    const answer = await get(`/render/${page}`, authorized())
    expect(statuses(answer)).toEqual([200])
    expect(header(answer, 'Content-Security-Policy')).toMatch(/^sandbox (?!.*allow-same-origin)/)
    expect(header(answer, 'Cache-Control')).toBe('no-store')
    expect(header(answer, 'X-Robots-Tag')).toBe('noindex')
    expect(header(answer, 'Referrer-Policy')).toBe('no-referrer')
  })
})

test('a response that echoes input is JSON and is not sniffed', async () => {
  const attack = '<script>alert(1)</script>'
  const paths = [
    `/${attack}`,
    `/pages/${attack}`,
    `/projects/${attack}`,
    `/pages?sort=${attack}`,
    `/v1/${attack}`,
  ]
  for (const path of [
    ...paths,
    '/render/x?token=<b>',
    `/render/${page}?theme=<b>`,
    '/render/_assets/<b>.html',
  ]) {
    const answer = await get(path, authorized())
    expect(header(answer, 'Content-Type')).toBe('application/json; charset=utf-8')
    expect(header(answer, 'X-Content-Type-Options')).toBe('nosniff')
  }
})

describe('a header', () => {
  const WRITTEN = ['X-Request-Id', 'service-version', 'If-None-Match', 'Idempotency-Key', 'Origin', 'Range']
  const BREAKS = [
    'a\rX-Evil: 1',
    'a\nX-Evil: 1',
    'a\r\n X-Evil: 1',
    'a\u0085X-Evil: 1',
    'a%0d%0aX-Evil: 1',
    'a\0X-Evil: 1',
  ]
  test.each(WRITTEN)('%s cannot inject a response header', async (name) => {
    for (const value of BREAKS) {
      const answer = await get('/users/me', authorized(), `${name}: ${value}`)
      expect(statuses(answer)).toHaveLength(1)
      expect(header(answer, 'X-Evil')).toBeNull()
    }
  })

  test('If-Match of 15 KB is compared, and of 20 KB is refused', async () => {
    const put = (tag: string) =>
      talk(
        lines(
          ...[
            `PUT /pages/${page} HTTP/1.1`,
            'Host: localhost',
            'Connection: close',
            authorized(),
            `If-Match: ${tag}`,
          ],
          ...['Content-Type: application/json', 'Content-Length: 2'],
        ).concat('{}'),
      )
    expect(statuses(await put('"9-x",'.repeat(2500)))[0]).toBe(412)
    expect(statuses(await put(`"${'1'.repeat(15_000)}-x"`))[0]).toBe(412)
    expect(statuses(await put('"'.repeat(15_000)))[0]).toBe(412)
    expect(statuses(await put('x'.repeat(20_000)))[0]).toBe(413)
  })

  test('Authorization accepts exactly one key', async () => {
    const { key } = service
    const oddities = [
      ...[
        `Bearer ${key} x`,
        `Bearer\t${key}`,
        `Bearer ${key},${key}`,
        `Bearer "${key}"`,
        `Bearer=${key}`,
        key,
      ],
      ...[
        `Basic ${key}`,
        `Bearer ${key}\u00a0`,
        `Bearer ${key.toUpperCase()}`,
        `Bearer ${key}%00`,
        'Bearer null',
      ],
      ...[`Bearer ${'a'.repeat(15_000)}`, `Bearer ${key.slice(0, -1)}`, `Bearer ${key}a`, 'Bearer undefined'],
    ]
    for (const value of oddities) {
      const [status = 0] = statuses(await get('/users/me', `Authorization: ${value}`))
      expect([value.slice(0, 80), status]).toEqual([
        value.slice(0, 80),
        expect.toSatisfy((code) => [401, 403, 422].includes(code)),
      ])
    }
    for (const name of ['X-Authorization', 'Proxy-Authorization', 'X-Api-Key', 'Cookie'])
      expect(statuses(await get('/users/me', `${name}: Bearer ${key}`))).toEqual([401])
    expect(statuses(await get(`/users/me?key=${key}&access_token=${key}`))).toEqual([401])
    expect(statuses(await get('/users/me', 'Authorization: Bearer x', authorized()))).toEqual([403])
  })

  test('Expect and Upgrade change nothing', async () => {
    expect(statuses(await get('/users/me', authorized(), 'Expect: 100-continue'))).toEqual([100, 200])
    expect(statuses(await get('/users/me', authorized(), 'Expect: something'))).toEqual([422])
    expect(
      statuses(await get('/users/me', authorized(), 'Connection: Upgrade', 'Upgrade: websocket')),
    ).toEqual([200])
  })

  test('cannot override the method or path of the request line', async () => {
    const overrides = [
      'X-HTTP-Method-Override: DELETE',
      'X-Method-Override: DELETE',
      'X-Original-URL: /users/me',
      'X-Rewrite-URL: /',
    ]
    expect(statuses(await get(`/pages/${page}?_method=DELETE`, authorized(), ...overrides))).toEqual([200])
    expect((await service.call('GET', `/pages/${page}`)).status).toBe(200)
  })
})

describe('a smuggled request', () => {
  const SMUGGLED = 'GET /users/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const FRAMINGS = [
    ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', `Content-Length: ${SMUGGLED.length}`],
    ['Content-Length: 0', `Content-Length: ${SMUGGLED.length}`],
    [`Content-Length: ${SMUGGLED.length}, 0`],
    ['Content-Length: +0'],
    ['Content-Length: 0x0'],
    ['Content-Length: -1'],
    ['Content-Length : 0'],
    ['Content-Length: 0\nTransfer-Encoding: chunked'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding : chunked'],
    ['Transfer-Encoding:\x0bchunked'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    ['X: y\r\n Transfer-Encoding: chunked', 'Content-Length: 4'],
  ]
  test.each(FRAMINGS)('gets no response (%s; %s)', async (...framing) => {
    const start = [
      `POST /pages/${page}/publish HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
    ]
    const answer = await talk(`${lines(...start, ...framing.filter(Boolean))}0\r\n\r\n${SMUGGLED}`)
    expect(statuses(answer)).toEqual([422])
    expect(answer).not.toContain('missing_api_key')
  })

  test.each([
    '2\r\n{}\n0\r\n\r\n',
    'g\r\n{}\r\n0\r\n\r\n',
    '-2\r\n{}\r\n',
    '0x2\r\n{}\r\n0\r\n\r\n',
    `${'f'.repeat(17)}\r\n{}`,
  ])('does not follow malformed chunks (%j)', async (chunks) => {
    const start = [`POST /pages/${page}/publish HTTP/1.1`, 'Host: localhost', authorized()]
    const answer = await talk(lines(...start, 'Transfer-Encoding: chunked') + chunks + SMUGGLED)
    expect(statuses(answer).filter((status) => status < 400)).toEqual([])
    expect(answer).not.toContain('missing_api_key')
  })

  test('does not stop the service', async () => {
    expect((await service.call('GET', '/users/me')).status).toBe(200)
  })
})

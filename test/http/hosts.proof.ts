import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { HostedProject } from '../../src/db/repositories/projects.ts'
import type { Database } from '../../src/db/repositories.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import type { SiteHost } from '../../src/domain/site-host.ts'
import { findHostSite } from '../../src/http/public/host-site.ts'
import { LONG_FORM, runs } from '../support/long-form.ts'
import { type RawRequest, sendRaw } from '../support/raw-request.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const SITES = 'sites.quoin.test'
const DOMAIN = 'docs.acme.example'

let service: TestService
/** Live at `DOMAIN` and at `acme.SITES`. */
let acme: string

beforeAll(async () => {
  service = await startService()
  acme = await newSite(service, { custom_domain: DOMAIN, subdomain: 'acme' })
})
afterAll(() => service.close())

/** A project with `/`, `/docs/install` and `/pages` live. */
async function newSite({ call, newProject }: TestService, hosting: object): Promise<string> {
  const project = await newProject()
  expect(await call('PUT', `/projects/${project}`, { hosting })).toMatchObject({ status: 200 })
  const pages = [
    { slug: 'index', title: 'Home', markdown_content: 'Welcome. See [install](/docs/install).' },
    { slug: 'install', subroute: 'docs', title: 'Install', markdown_content: 'How to install.' },
    { slug: 'pages', title: 'Pages', markdown_content: 'About our pages.' },
  ]
  for (const page of pages) {
    const { id } = (await call('POST', '/pages', pageBody(project, page))).body.data
    expect(await call('POST', `/pages/${id}/publish`)).toMatchObject({ status: 200 })
  }
  return project
}

/** As a visitor's browser asks, without a key. */
function visit(host: string, path: string, { headers, ...request }: RawRequest = {}, at = service) {
  return sendRaw(at.url, path, { ...request, headers: { Host: host, ...headers } })
}

const isSiteNotFound = (body: string) =>
  body.includes('Page not found') && body.includes(`https://${DOMAIN}/`)
const isPlainNotFound = (body: string) => body.includes('Nothing is published at this address.')

test.each([
  ['two hosts', `Host: ${DOMAIN}\r\nHost: other.example`],
  ['the same host twice', `Host: ${DOMAIN}\r\nhost: ${DOMAIN}`],
  ['no host', 'Accept: */*'],
  ['an empty host', 'Host:'],
  ['a host with a blank', `Host: ${DOMAIN} b`],
  ['a host with a user', `Host: u@${DOMAIN}`],
  ['a host with a path', `Host: ${DOMAIN}/a`],
  ['a host with a port of letters', `Host: ${DOMAIN}:abc`],
])('a request with %s is answered 400 and reaches no site', async (_, lines) => {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET / HTTP/1.1\r\n${lines}\r\n\r\n`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(body)).toMatchObject({ statusCode: 400, name: 'invalid_request' })
})

describe.each([DOMAIN, `acme.${SITES}`])('a visitor of %s', (host) => {
  test('reads the published site at /, without a key and outside of any sandbox', async () => {
    for (const [path, words] of [
      ['/', 'Welcome.'],
      ['/docs/install/', 'How to install.'],
      ['/docs/install/?utm=1', 'How to install.'],
    ] as const) {
      const answer = await visit(host, path)
      expect({ status: answer.status, type: answer.headers['content-type'] }).toEqual({
        status: 200,
        type: 'text/html; charset=utf-8',
      })
      expect(answer.body).toContain(words)
      expect(answer.headers['content-security-policy']).toBeUndefined()
      expect(answer.headers.etag).toMatch(/^"/)
    }
    expect(JSON.parse((await visit(host, '/_index.json')).body)).toMatchObject({ project_id: acme })
  })

  test('meets no API, whatever key is sent: its paths are paths of the site', async () => {
    const headers = { Authorization: `Bearer ${service.key}` }
    const paths = ['/projects', '/users/me', '/v1/users/me', '/healthz', '/readyz', '/render/_assets/x.css']
    for (const path of [...paths, `/public/${acme}/`, `/projects/${acme}`]) {
      const answer = await visit(host, path, { headers })
      expect(answer.status).toBe(404)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers['deprecation']).toBeUndefined()
      expect(isSiteNotFound(answer.body)).toBe(true)
    }
    expect((await visit(host, '/pages/', { headers })).body).toContain('About our pages.')
    expect(await visit(host, '/pages', { headers })).toMatchObject({
      status: 308,
      headers: { location: './pages/' },
    })
  })

  test('may only look at the site', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await visit(host, '/pages', { method })
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
    }
    expect(await visit(host, '/', { method: 'OPTIONS' })).toMatchObject({ status: 204 })
    const [get, head] = [await visit(host, '/'), await visit(host, '/', { method: 'HEAD' })]
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  test.each([
    ['a page', '/', 200],
    ['a redirect', '/docs/install', 308],
    ['a path without a page', '/nothing', 404],
  ])('finds the standard headers on the answer to %s', async (_, path, status) => {
    const answer = await visit(host, path, { headers: { 'X-Request-Id': 'abc' } })
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'x-request-id': 'abc',
      'service-version': expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
  })

  test('is found however the host is spelled', async () => {
    for (const spelled of [host.toUpperCase(), `${host}:8080`, `${host}.`, `${host}.:443`])
      expect((await visit(spelled, '/')).body).toContain('Welcome.')
  })

  test('is found by the absolute form of a request, which wins over the Host header', async () => {
    expect((await visit('localhost', `http://${host}/docs/install/?a`)).body).toContain('How to install.')
    expect((await visit(`free.${SITES}`, `https://${host}:80`)).body).toContain('Welcome.')
    expect(await visit(host, 'http://127.0.0.1/users/me')).toMatchObject({ status: 401 })
    const shared = await visit(host, `http://localhost/public/${acme}/docs/install/`)
    expect(shared.body).toContain('How to install.')
  })

  test.runIf(LONG_FORM)('needs no HTTPS where the API does', async () => {
    const strict = await startService({
      env: { QUOIN_ALLOW_HTTP: 'false', QUOIN_TRUST_PROXY: '127.0.0.1' },
    })
    onTestFinished(() => strict.close())
    const secure: TestService = {
      ...strict,
      newProject: async () =>
        (
          await strict.call(
            'POST',
            '/projects',
            { name: 'Site' },
            { headers: { 'X-Forwarded-Proto': 'https' } },
          )
        ).body.data.id,
      call: (method, path, body) =>
        strict.call(method, path, body, { headers: { 'X-Forwarded-Proto': 'https' } }),
    }
    await newSite(secure, { custom_domain: DOMAIN, subdomain: 'acme' })
    expect((await visit(host, '/', {}, strict)).body).toContain('Welcome.')
    expect((await visit('localhost', '/projects', {}, strict)).status).toBe(403)
    const viaProxy = await visit(host, '/', { headers: { 'X-Forwarded-Proto': 'https' } }, strict)
    expect(viaProxy.body).toContain('Welcome.')
  })
})

describe('a host that is no site', () => {
  test.each(['localhost', 'LOCALHOST:99', '127.0.0.1', '10.1.2.3:80', '[::1]:8080', SITES, 'api.example'])(
    '%s reaches the service',
    async (host) => {
      expect(await visit(host, '/users/me')).toMatchObject({ status: 401 })
      expect(await visit(host, '/healthz')).toMatchObject({ status: 200 })
      expect((await visit(host, `/public/${acme}/`)).headers['content-security-policy']).toMatch(/^sandbox /)
    },
  )

  test('is answered the plain 404 under the sites domain', async () => {
    for (const host of [`free.${SITES}`, `www.acme.${SITES}`, `acme.acme.${SITES}`]) {
      for (const path of ['/', '/users/me', '/healthz', `/public/${acme}/`]) {
        const answer = await visit(host, path)
        expect(answer.status).toBe(404)
        expect(isPlainNotFound(answer.body)).toBe(true)
      }
    }
  })

  test('is redirected to the domain when only www. is added', async () => {
    expect(await visit(`www.${DOMAIN}`, '/docs/?a=b')).toMatchObject({
      status: 308,
      headers: { location: `https://${DOMAIN}/docs/?a=b` },
    })
  })

  test.each(['acme.example', `${DOMAIN}.evil.example`, `evil-${DOMAIN}`, 'acme'])(
    '%s is not the domain it resembles',
    async (host) => {
      expect(await visit(host, '/')).toMatchObject({ status: 401 })
    },
  )

  test.each(['..', 'a,b', '%00', 'x'.repeat(9000)])(
    'is answered like the service’s own when its name is unusual (%j)',
    async (host) => {
      const headers = { Authorization: `Bearer ${service.key}` }
      expect((await visit(host, '/projects?limit=1', { headers })).status).toBe(200)
      expect((await visit(host, `/public/${acme}/`)).status).toBe(200)
      expect((await visit(host, '/healthz')).status).toBe(200)
    },
  )

  test.each([' ', 'a b', ':', ':80', '[', '[::1', 'a:b', '\u00fc', '@', '/', '?'])(
    'is answered 400 when it is malformed (%j)',
    async (host) => {
      for (const path of ['/projects?limit=1', `/public/${acme}/`, '/healthz'])
        expect((await visit(host, path)).status).toBe(400)
    },
  )

  test('is a request without a Host header', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.end('GET /healthz HTTP/1.0\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.runIf(LONG_FORM)('X-Forwarded-Host makes no site of it, from a trusted proxy either', async () => {
    const behind = await startService({ env: { QUOIN_TRUST_PROXY: '127.0.0.1' } })
    onTestFinished(() => behind.close())
    await newSite(behind, { custom_domain: DOMAIN })
    for (const [name, value] of [
      ['X-Forwarded-Host', DOMAIN],
      ['X-Host', DOMAIN],
      ['Forwarded', `host=${DOMAIN}`],
      ['X-Original-Host', DOMAIN],
    ] as const) {
      expect((await visit('localhost', '/', { headers: { [name]: value } }, behind)).status).toBe(401)
      const asked = await visit(DOMAIN, '/', { headers: { [name]: 'localhost' } }, behind)
      expect(asked.body).toContain('Welcome.')
    }
  })

  test('whatever host and path are sent, nothing breaks', async () => {
    const headers = { Authorization: `Bearer ${service.key}` }
    const piece = fc.constantFrom(
      DOMAIN,
      SITES,
      'acme.',
      'a',
      '.',
      ':',
      '80',
      '[',
      ']',
      '@',
      ' ',
      '%',
      '-',
      'é',
    )
    const step = fc.constantFrom('/', '//', '..', '%2e', '%2f', '%', 'docs', 'install', '?', '#', 'help', '*')
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.array(step), async (host, path) => {
        const answer = await visit(host.join('').trim(), `/${path.join('')}`, { headers })
        expect(answer.status).toBeLessThan(500)
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('a project', () => {
  test.runIf(LONG_FORM)(
    'shows nothing on its hosts while suspended, and all again once it is active',
    async () => {
      const project = await newSite(service, { custom_domain: 'sus.example', subdomain: 'sus' })
      const { projects } = service.server.service
      const id = project.slice('proj_'.length) as ProjectId
      await projects.setStatus(id, 'suspended')
      for (const host of ['sus.example', `sus.${SITES}`]) {
        for (const path of ['/', '/docs/install/', '/nothing', '/_index.json']) {
          const answer = await visit(host, path)
          expect(answer.status).toBe(404)
          expect(isPlainNotFound(answer.body)).toBe(true)
        }
      }
      await projects.setStatus(id, 'active')
      await until(async () => (await visit('sus.example', '/')).status === 200)
    },
  )

  test('stays live when it is archived', async () => {
    const project = await newSite(service, { custom_domain: 'old.example' })
    expect((await service.call('PUT', `/projects/${project}`, { status: 'archived' })).status).toBe(200)
    expect((await visit('old.example', '/')).body).toContain('Welcome.')
  })

  test('answers the plain 404 until it has published something', async () => {
    const project = await service.newProject()
    await service.call('PUT', `/projects/${project}`, { domain: 'empty.example' })
    const answer = await visit('empty.example', '/')
    expect(answer.status).toBe(404)
    expect(isPlainNotFound(answer.body)).toBe(true)
  })

  test.runIf(LONG_FORM)('is served on another’s domain after taking it over', async () => {
    const [from, to] = [await newSite(service, {}), await newSite(service, {})]
    const served = async () => JSON.parse((await visit('moving.example', '/_index.json')).body).project_id
    await service.call('PUT', `/projects/${from}`, { domain: 'moving.example' })
    expect(await served()).toBe(from)
    await service.call('PUT', `/projects/${from}`, { domain: null })
    expect((await service.call('PUT', `/projects/${to}`, { domain: 'moving.example' })).status).toBe(200)
    await until(async () => (await served()) === to)
  })
})

describe('in rewrite mode', () => {
  const HOST = 'www.acme.example'
  let help: string
  beforeAll(async () => {
    const hosting = { mode: 'rewrite', base_path: '/help', custom_domain: HOST, subdomain: 'help' }
    help = await newSite(service, hosting)
  })

  test('the site lies under the base path of the custom domain', async () => {
    expect((await visit(HOST, '/help/')).body).toContain('Welcome.')
    expect((await visit(HOST, '/help/docs/install/')).body).toContain('How to install.')
    expect((await visit(HOST, '/help/_index.json')).status).toBe(200)
    const lost = await visit(HOST, '/help/nothing')
    expect(lost.status).toBe(404)
    expect(lost.body).toContain(`https://${HOST}/help/`)
  })

  test.each([
    ['/help', './help/'],
    ['/help?a=1', './help/?a=1'],
    ['/help/docs/install', './install/'],
  ])('%s is redirected to %s', async (path, location) => {
    const answer = await visit(HOST, path)
    expect(answer).toMatchObject({ status: 308, headers: { location } })
    const target = new URL(location, `https://${HOST}${path}`)
    expect((await visit(HOST, target.pathname)).status).toBe(200)
  })

  test.each([
    '/',
    '/docs/install/',
    '/helpful/',
    '/Help/',
    '/other/help/',
    '/help%2F',
    '//help/',
    '/_index.json',
    '*',
  ])('%s is outside of it: the plain 404', async (path) => {
    const answer = await visit(HOST, path)
    expect(answer.status).toBe(404)
    expect(isPlainNotFound(answer.body)).toBe(true)
  })

  test('the subdomain has the site at /', async () => {
    expect((await visit(`help.${SITES}`, '/docs/install/')).body).toContain('How to install.')
    expect((await visit(`help.${SITES}`, '/help/')).status).toBe(404)
  })

  test('the redirect to the base path needs no front page', async () => {
    const hosting = { mode: 'rewrite', base_path: '/docs', custom_domain: 'bare.example' }
    const project = await service.newProject()
    await service.call('PUT', `/projects/${project}`, { hosting })
    expect(await visit('bare.example', '/docs')).toMatchObject({
      status: 308,
      headers: { location: './docs/' },
    })
  })

  test('every link of a page leads to a page under the base path', async () => {
    const { body } = await visit(HOST, '/help/')
    // Its tools lead to other services.
    const own = body.replace(/<a href="[^"]*" rel="external[^>]*>/g, '')
    const links = [...own.matchAll(/ (?:href|src)="([^"#][^"]*)"/g)].map(([, href = '']) => href)
    expect(links).toContain('docs/install/')
    for (const href of links) {
      const { host, pathname } = new URL(href, `https://${HOST}/help/`)
      expect(host).toBe(HOST)
      expect((await visit(HOST, pathname)).status).toBe(200)
    }
  })

  test('a base path of / is the whole host', async () => {
    await newSite(service, { mode: 'rewrite', base_path: '/', custom_domain: 'whole.example' })
    expect((await visit('whole.example', '/docs/install/')).body).toContain('How to install.')
  })

  test('the base path counts in rewrite mode only', async () => {
    await newSite(service, { mode: 'full_host', base_path: '/help', custom_domain: 'full.example' })
    expect((await visit('full.example', '/docs/install/')).body).toContain('How to install.')
    expect((await visit('full.example', '/help/')).status).toBe(404)
  })

  test('what the service deletes is gone from its hosts', async () => {
    const gone = await newSite(service, { custom_domain: 'gone.example' })
    await service.call('PUT', `/projects/${gone}`, { status: 'archived' })
    expect((await service.call('DELETE', `/projects/${gone}`)).status).toBe(200)
    expect(await visit('gone.example', '/')).toMatchObject({ status: 401 })
  })

  test('the project is still read under /public, where its links hold too', async () => {
    const answer = await visit('localhost', `/public/${help}/docs/install/`)
    expect(answer.body).toContain(`<link rel="canonical" href="https://${HOST}/help/docs/install/">`)
  })
})

describe('the addresses the API tells', () => {
  test.each([
    ['a custom domain', { custom_domain: 'a.example' }, 'https://a.example'],
    ['a subdomain', { subdomain: 'told' }, `https://told.${SITES}`],
    ['both', { custom_domain: 'b.example', subdomain: 'told-b' }, 'https://b.example'],
    [
      'a base path on the custom domain',
      { custom_domain: 'c.example', mode: 'rewrite', base_path: '/help/us' },
      'https://c.example/help/us',
    ],
    [
      'a base path and both',
      { custom_domain: 'd.example', subdomain: 'told-d', mode: 'rewrite', base_path: '/help' },
      'https://d.example/help',
    ],
    [
      'a base path without a custom domain',
      { subdomain: 'told-e', mode: 'rewrite', base_path: '/help' },
      `https://told-e.${SITES}`,
    ],
    [
      'a base path that is not in use',
      { custom_domain: 'f.example', base_path: '/help' },
      'https://f.example',
    ],
  ])('are where the site is served: %s', async (_, hosting, origin) => {
    const { call, newProject } = service
    const project = await newProject()
    await call('PUT', `/projects/${project}`, { hosting })
    const fields = { slug: 'install', subroute: 'docs', markdown_content: 'How to install.' }
    const created = (await call('POST', '/pages', pageBody(project, fields))).body.data
    expect(created.url).toBe(`${origin}/docs/install`)
    const canonical = `<link rel="canonical" href="${origin}/docs/install/">`
    expect((await call('GET', `/render/${created.id}`)).body).toContain(canonical)

    const published = (await call('POST', `/pages/${created.id}/publish`)).body.data
    expect(published.url).toBe(`${origin}/docs/install`)
    const { host, pathname } = new URL(origin)
    const prefix = pathname.replace(/\/$/, '')
    expect(await visit(host, `${prefix}/docs/install`)).toMatchObject({ status: 308 })
    expect((await visit(host, `${prefix}/docs/install/`)).body).toContain(canonical)
    const lost = await visit(host, `${prefix}/nothing`)
    expect(lost.status).toBe(404)
    const hrefs = [...lost.body.matchAll(/ href="([^"#]+)"/g)].map(([, href = '']) => href)
    expect(hrefs).toContain(`${origin}/`)
    for (const href of hrefs) expect(new URL(href).href.startsWith(`${origin}/`)).toBe(true)
  })
})

describe('looking a host up', () => {
  const project = (id: string): HostedProject => ({
    id: id as ProjectId,
    status: 'active',
    hosting: { mode: 'full_host', basePath: '/', customDomain: id },
  })

  /** Answers with the id of the site's project, `none` or `service`; keeps what was looked up. */
  async function startLookups() {
    const clock = { ms: 0 }
    const owners = new Map<string, string>()
    const asked: string[] = []
    const findByHost = async (host: SiteHost) => {
      const name = Object.values(host).join()
      asked.push(name)
      const owner = owners.get(name)
      return owner === undefined ? null : project(owner)
    }
    const db = { read: { projects: { findByHost } } } as unknown as Database
    const app = new Koa()
    app.use(
      findHostSite({
        db,
        addresses: { contentUrl: 'https://cdn.example/public', sitesDomain: SITES },
        ownHosts: ['api.example', 'cdn.example', SITES],
        monotonic: () => clock.ms,
      }),
    )
    app.use((ctx) => {
      const site = ctx.state['site'] as { project: HostedProject | null } | null | undefined
      ctx.body = site ? (site.project?.id ?? 'none') : 'service'
    })
    const server = createServer(app.callback()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ask = async (host: string) => (await sendRaw(url, '/', { headers: { Host: host } })).body
    return { clock, owners, asked, ask }
  }

  test('is skipped for hosts of the service and for malformed hosts', async () => {
    const { asked, ask } = await startLookups()
    for (const host of [
      'api.example',
      'CDN.example.:80',
      SITES,
      'localhost',
      '127.0.0.1',
      '[::1]',
      '',
      'a b',
      '..',
    ])
      expect(await ask(host)).toBe('service')
    expect(asked).toEqual([])
  })

  test('happens once for all spellings of a host, also for an unknown host', async () => {
    const { owners, asked, ask } = await startLookups()
    owners.set(DOMAIN, 'one').set('acme', 'two')
    for (const host of [DOMAIN, DOMAIN.toUpperCase(), `${DOMAIN}.:80`]) expect(await ask(host)).toBe('one')
    for (const host of [`acme.${SITES}`, `ACME.${SITES}:1`]) expect(await ask(host)).toBe('two')
    for (const host of ['free.example', 'free.example:80']) expect(await ask(host)).toBe('service')
    for (const host of [`free.${SITES}`, `free.${SITES}.`]) expect(await ask(host)).toBe('none')
    expect(asked).toEqual([DOMAIN, 'acme', 'free.example', 'free'])
  })

  test('happens again within five seconds, so that a host can move', async () => {
    const { clock, owners, asked, ask } = await startLookups()
    expect(await ask(DOMAIN)).toBe('service')
    owners.set(DOMAIN, 'one')
    clock.ms += 5000
    expect(await ask(DOMAIN)).toBe('one')
    owners.set(DOMAIN, 'two')
    clock.ms += 5000
    expect(await ask(DOMAIN)).toBe('two')
    owners.delete(DOMAIN)
    clock.ms += 5000
    expect(await ask(DOMAIN)).toBe('service')
    expect(asked).toHaveLength(4)
  })

  test.runIf(LONG_FORM)('keeps the newest only of very many hosts', async () => {
    const { asked, ask } = await startLookups()
    await ask('first.example')
    for (let n = 0; n < 1000; n += 1) await ask(`host-${n}.example`)
    asked.length = 0
    await ask('host-999.example')
    await ask('first.example')
    expect(asked).toEqual(['first.example'])
  })
})

/** Waits as long as it takes; the test's own limit ends it. */
async function until(claim: () => Promise<boolean>): Promise<void> {
  while (!(await claim())) await new Promise((resolve) => setTimeout(resolve, 50))
}

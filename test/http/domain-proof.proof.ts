import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createProveDomain } from '../../src/custom-domains/prove-domain.ts'
import type { UserId } from '../../src/domain/ids.ts'
import { freePort } from '../support/free-port.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'
import { sendRaw } from '../support/raw-request.ts'
import { pageBody, type ServiceOptions, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Content of `/.well-known/quoin-challenge` on the web servers of domains. */
const files = new Map<string, string>()
const clock = { ahead: 0 }
const DAY_MS = 24 * 60 * 60 * 1000

let names: NameServer
let service: TestService
let webPort: number
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  names = await startNameServer()
  const web = createServer(({ url, headers }, response) => {
    const content = files.get(String(headers.host?.split(':')[0]))
    const isFound = content !== undefined && url === '/.well-known/quoin-challenge'
    response.writeHead(isFound ? 200 : 404).end(content)
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  webPort = (web.address() as AddressInfo).port
  service = await startProving()
  closing.push(
    () => service.close(),
    () => names.close(),
    async () => void web.close(),
  )
})
afterAll(async () => {
  for (const close of closing) await close()
})

/** A service whose name servers and web servers of domains are on loopback. */
function startProving({ env, ...options }: ServiceOptions = {}): Promise<TestService> {
  const targets = { rules: { allowHttp: true, allowPrivate: true }, resolve: async () => ['127.0.0.1'] }
  return startService({
    proveDomain: createProveDomain({ targets, nameServers: [names.address], port: webPort }),
    now: () => new Date(Date.now() + clock.ahead).toISOString(),
    env: { QUOIN_DOMAIN_PROOF: 'on', ...env },
    ...options,
  })
}

interface Owner {
  readonly key: string
  readonly user: UserId
}

async function newOwner(): Promise<Owner> {
  const user = await service.newUser()
  return { user, key: await service.newKey({ user }) }
}

/** A live site with a front page. @returns its project's prefixed id, which is the token too. */
async function newSite(key = service.key): Promise<string> {
  const project = (await service.call('POST', '/projects', { name: 'Site' }, { key })).body.data.id
  const home = pageBody(project, { slug: 'index', title: `Home of ${project}`, markdown_content: 'Welcome.' })
  const { id } = (await service.call('POST', '/pages', home, { key })).body.data
  expect((await service.call('POST', `/pages/${id}/publish`, undefined, { key })).status).toBe(200)
  return project
}

const setDomain = (project: string, domain: unknown, key = service.key) =>
  service.call('PUT', `/projects/${project}`, { domain }, { key })
const hostingOf = async (project: string, key = service.key) =>
  (await service.call('GET', `/projects/${project}`, undefined, { key })).body.data.hosting
const statusBecomes = (project: string, status: string, key = service.key) =>
  expect.poll(async () => (await hostingOf(project, key)).domain_status).toBe(status)
const verify = (project: string, key = service.key) =>
  service.call('POST', `/projects/${project}/domain/verify`, undefined, { key })
const visit = (host: string, path = '/', at = service) => sendRaw(at.url, path, { headers: { Host: host } })
/** Hosts are looked up again after three seconds. */
const becomesServed = (host: string, project: string) =>
  expect.poll(async () => (await visit(host)).body).toContain(`Home of ${project}`)
/** Sends JSON to a service that has a certificate of its own, or another base URL than the test uses. */
async function put(url: string, key: string, body: unknown): Promise<{ status: number; text: string }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const options = { method: 'PUT', headers, agent: false } as const
  const sent = url.startsWith('https:')
    ? httpsRequest(url, { ...options, rejectUnauthorized: false })
    : httpRequest(url, options)
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, text: await textOf(response) }
}

const publishRecord = (domain: string, ...tokens: string[]) =>
  void names.zone.set(`_quoin-challenge.${domain}`, tokens)

describe('a custom domain', () => {
  test('is served only after it is proved by its TXT record', async () => {
    const [project, domain] = [await newSite(), 'first.acme-one.com']
    expect(await hostingOf(project)).toMatchObject({ domain_status: 'none', domain_challenge: null })
    const { hosting } = (await setDomain(project, domain)).body.data
    expect(hosting).toMatchObject({
      custom_domain: domain,
      domain_status: 'pending',
      domain_challenge: {
        token: project,
        txt_record: `_quoin-challenge.${domain}`,
        file_url: `http://${domain}/.well-known/quoin-challenge`,
        checked_at: null,
        problem: null,
      },
    })
    await expect
      .poll(async () => (await hostingOf(project)).domain_challenge.problem)
      .toMatch(/^There is no TXT record _quoin-challenge\.first\.acme-one\.com\./)
    expect((await visit(domain)).status).toBe(401)

    publishRecord(domain, project)
    expect((await verify(project)).status).toBe(202)
    clock.ahead += 10_000
    await statusBecomes(project, 'active')
    await becomesServed(domain, project)
  })

  test('is proved by a file on its present web server', async () => {
    const [project, domain] = [await newSite(), 'filed.acme-one.com']
    files.set(domain, `${project}\n`)
    await setDomain(project, domain)
    await statusBecomes(project, 'active')
  })

  test('is not proved by the service itself: the file does not exist there while the domain is pending', async () => {
    const [project, domain] = [await newSite(), 'pending.acme-one.com']
    await setDomain(project, domain)
    const asked = await visit(domain, '/.well-known/quoin-challenge')
    expect({ status: asked.status, holds: asked.body.includes(project) }).toEqual({
      status: 401,
      holds: false,
    })
  })

  test('serves its proof once it is active, so that it stays proved when it leads to the service', async () => {
    const [project, domain] = [await newSite(), 'stays.acme-one.com']
    publishRecord(domain, project)
    await setDomain(project, domain)
    await statusBecomes(project, 'active')
    await becomesServed(domain, project)
    const answer = await visit(domain, '/.well-known/quoin-challenge')
    expect(answer).toMatchObject({ status: 200, body: project })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  test('is checked weekly, and stays live through a week of failed checks', async () => {
    const [project, domain] = [await newSite(), 'weekly.acme-one.com']
    publishRecord(domain, project)
    await setDomain(project, domain)
    await statusBecomes(project, 'active')
    names.zone.delete(`_quoin-challenge.${domain}`)

    const checkedAt = async () => (await hostingOf(project)).domain_challenge.checked_at
    const statuses: string[] = []
    for (const days of [7, 1, 1, 1, 1, 1, 1]) {
      const last = await checkedAt()
      clock.ahead += days * DAY_MS
      await expect.poll(checkedAt).not.toBe(last)
      statuses.push((await hostingOf(project)).domain_status)
    }
    expect(statuses).toEqual([...Array(6).fill('active'), 'failed'])
    await expect.poll(async () => (await visit(domain)).status).toBe(401)

    publishRecord(domain, project)
    expect((await verify(project)).body.data.hosting.domain_status).toBe('pending')
    clock.ahead += 10_000
    await statusBecomes(project, 'active')
  })

  test('can be sent back as it was read, in any spelling, without another check', async () => {
    const [project, domain] = [await newSite(), 'xn--bcher-kva.acme-one.com']
    publishRecord(domain, project)
    await setDomain(project, 'BÜCHER.acme-one.com.')
    await statusBecomes(project, 'active')
    const { name, hosting } = (await service.call('GET', `/projects/${project}`)).body.data
    const sent = await service.call('PUT', `/projects/${project}`, {
      name,
      domain: 'bücher.acme-one.com',
      hosting,
    })
    expect(sent.status).toBe(200)
    expect(sent.body.data.hosting).toEqual(hosting)
  })

  test('keeps no proof for another name', async () => {
    const project = await newSite()
    publishRecord('one.acme-one.com', project)
    await setDomain(project, 'one.acme-one.com')
    await statusBecomes(project, 'active')
    expect((await setDomain(project, 'two.acme-one.com')).body.data.hosting.domain_status).toBe('pending')
    expect((await setDomain(project, null)).body.data.hosting.domain_status).toBe('none')
    await expect.poll(async () => (await visit('one.acme-one.com')).status).toBe(401)
    expect((await visit('two.acme-one.com')).status).toBe(401)
    expect(await verify(project)).toMatchObject({ status: 400, body: { name: 'conflict' } })
  })
})

describe('www. and the name without it', () => {
  test.each([
    ['acme-two.com', 'www.acme-two.com'],
    ['www.acme-three.com', 'acme-three.com'],
  ])('belong together: %s is served and %s leads there', async (domain, twin) => {
    const project = await newSite()
    publishRecord(domain, project)
    await setDomain(project, domain)
    await statusBecomes(project, 'active')
    await becomesServed(domain, project)
    for (const path of ['/', '/docs/a?b=c', '//evil.example/'])
      expect(await visit(twin, path)).toMatchObject({
        status: 308,
        headers: { location: `https://${domain}${path}` },
      })
    const other = await newOwner()
    for (const taken of [domain, twin])
      expect(await setDomain(await newSite(other.key), taken, other.key)).toMatchObject({
        status: 400,
        body: { name: 'conflict' },
      })

    expect((await setDomain(project, twin)).body.data.hosting.domain_status).toBe('active')
    await becomesServed(twin, project)
  })
})

describe('a domain that several projects name', () => {
  test('is refused to a second project of the same account, pending or not, with www. or without', async () => {
    const [first, second] = [await newSite(), await newSite()]
    await setDomain(first, 'twice.acme-four.com')
    for (const domain of ['twice.acme-four.com', 'www.twice.acme-four.com', 'TWICE.acme-four.com.'])
      expect(await setDomain(second, domain)).toMatchObject({ status: 400, body: { name: 'conflict' } })
  })

  test('goes to the account that proves it, which a pending claim of another one cannot prevent', async () => {
    const [squatter, owner, domain] = [await newOwner(), await newOwner(), 'squatted.acme-four.com']
    const squat = await newSite(squatter.key)
    await setDomain(squat, domain, squatter.key)
    const project = await newSite(owner.key)
    publishRecord(domain, project)
    expect((await setDomain(project, domain, owner.key)).status).toBe(200)
    await statusBecomes(project, 'active', owner.key)
    await becomesServed(domain, project)

    publishRecord(domain, project, squat)
    await verify(squat, squatter.key)
    clock.ahead += 10_000
    await statusBecomes(squat, 'failed', squatter.key)
    expect((await hostingOf(squat, squatter.key)).domain_challenge.problem).toBe(
      'Another account has proved this domain.',
    )
    await setDomain(squat, null, squatter.key)
    expect(await setDomain(squat, domain, squatter.key)).toMatchObject({
      status: 400,
      body: { name: 'conflict' },
    })
  })

  test('is served by one of them when both accounts can prove it, whatever the order', async () => {
    for (let round = 0; round < 3; round++) {
      const [one, two, domain] = [await newOwner(), await newOwner(), `race${round}.acme-four.com`]
      const sites = [await newSite(one.key), await newSite(two.key)]
      publishRecord(domain, ...sites)
      const set = await Promise.all([
        setDomain(sites[0] ?? '', domain, one.key),
        setDomain(sites[1] ?? '', domain, two.key),
      ])
      expect(set.map(({ status }) => status)).toEqual([200, 200])
      const statuses = async () => [
        (await hostingOf(sites[0] ?? '', one.key)).domain_status,
        (await hostingOf(sites[1] ?? '', two.key)).domain_status,
      ]
      await expect.poll(async () => (await statuses()).sort()).toEqual(['active', 'failed'])
      const winner = sites[(await statuses()).indexOf('active')] ?? ''
      await becomesServed(domain, winner)
    }
  })
})

test('the domain of a deleted project is free', async () => {
  const [project, domain] = [await newSite(), 'deleted.acme-four.com']
  publishRecord(domain, project)
  await setDomain(project, domain)
  await statusBecomes(project, 'active')
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  expect((await service.call('DELETE', `/projects/${project}`)).status).toBe(200)
  const next = await newSite()
  publishRecord(domain, next)
  expect((await setDomain(next, domain)).status).toBe(200)
  await statusBecomes(next, 'active')
  await becomesServed(domain, next)
})

describe('the names of the service', () => {
  /** A certificate and its key for these hosts, as files. */
  async function tlsFiles(hosts: readonly string[]) {
    const altNames = hosts.map((value) => ({ type: 2 as const, value }))
    const { cert, private: key } = await generate([{ name: 'commonName', value: hosts[0] ?? '' }], {
      extensions: [{ name: 'subjectAltName', altNames }],
    })
    const folder = await temporaryFolder()
    await writeFile(`${folder}/cert.pem`, cert)
    await writeFile(`${folder}/key.pem`, key)
    return { QUOIN_TLS_CERT: `${folder}/cert.pem`, QUOIN_TLS_KEY: `${folder}/key.pem` }
  }

  test.each(['on', 'off'])(
    'are those of its certificate where QUOIN_BASE_URL is not set, and no tenant takes one (proofs %s)',
    async (mode) => {
      const tls = await tlsFiles(['api.quoin-host.com', '*.cdn.quoin-host.com'])
      const secure = await startService({ env: { ...tls, QUOIN_DOMAIN_PROOF: mode } })
      onTestFinished(() => secure.close())
      const project = await secure.server.service.projects.createFor(secure.userId, 'Site')
      const path = `/projects/${project.project.id}`
      const send = async (domain: string) => (await put(secure.url + path, secure.key, { domain })).status
      for (const domain of [
        'api.quoin-host.com',
        'API.quoin-host.com.',
        'a.api.quoin-host.com',
        'x.cdn.quoin-host.com',
      ])
        expect({ domain, status: await send(domain) }).toEqual({ domain, status: 422 })
      if (mode === 'on') expect(await send('quoin-host.com')).toBe(422)
      expect(await send('docs.acme-five.com')).toBe(200)
    },
  )

  test.each([
    ['domain', (domain: string) => ({ domain })],
    ['hosting.custom_domain', (domain: string) => ({ hosting: { custom_domain: domain } })],
    ['settings.custom_domain', (domain: string) => ({ settings: { custom_domain: domain } })],
  ])('are refused with their parents as %s', async (field, body) => {
    const port = await freePort()
    const named = await startProving({
      env: {
        QUOIN_PORT: String(port),
        QUOIN_BASE_URL: 'https://api.quoin-host.com',
        QUOIN_CONTENT_URL: 'https://files.quoin-cdn.net/x',
        QUOIN_SITES_DOMAIN: 'sites.quoin-host.com',
      },
    })
    onTestFinished(() => named.close())
    const project = await named.server.service.projects.createFor(named.userId, 'Site')
    const path = `${field.startsWith('settings') ? '/v1' : ''}/projects/${project.project.id}`
    for (const domain of [
      'api.quoin-host.com',
      'ＡＰＩ.quoin-host.com',
      'api.quoin-host.com.',
      'quoin-host.com',
      'quoin-cdn.net',
      'www.files.quoin-cdn.net',
      'acme.sites.quoin-host.com',
      'sites.quoin-host.com',
      'github.io',
      'co.uk',
      'printer.local',
      'localhost',
      'x.localhost',
      'x.onion',
      '127.0.0.1',
      '0x7f.1',
      '[::1]',
      'docs.acme-five.com:8443',
    ]) {
      const { status, text } = await put(`http://127.0.0.1:${port}${path}`, named.key, body(domain))
      expect({ domain, status, isNamed: text.includes(`${field}: `) }).toEqual({
        domain,
        status: 422,
        isNamed: true,
      })
    }
  })
})

test.each(['www', 'api', 'admin', 'mail', 'status', 'xn--pypal-4ve'])(
  'the subdomain %s is reserved',
  async (subdomain) => {
    const answer = await service.call('PUT', `/projects/${await newSite()}`, { hosting: { subdomain } })
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'hosting.subdomain: is reserved and cannot be taken.' },
    })
  },
)

test('a key that cannot write requests no check', async () => {
  const project = await newSite()
  await setDomain(project, 'readonly.acme-six.com')
  const key = await service.newKey({ permissions: ['read', 'publish'] })
  expect((await verify(project, key)).status).toBe(403)
  expect((await verify(project, (await newOwner()).key)).status).toBe(404)
})

describe('a proxy that gets certificates on demand', () => {
  const ask = (domain: string, headers = {}) =>
    sendRaw(service.url, `/internal/tls-ask?domain=${encodeURIComponent(domain)}`, { headers })

  test('is told of domains that are active, their other name, and subdomains', async () => {
    const project = await newSite()
    await service.call('PUT', `/projects/${project}`, {
      hosting: { custom_domain: 'tls.acme-six.com', subdomain: 'tls-six' },
    })
    expect((await ask('tls.acme-six.com')).status).toBe(404)
    publishRecord('tls.acme-six.com', project)
    await verify(project)
    clock.ahead += 10_000
    await statusBecomes(project, 'active')
    for (const domain of [
      'tls.acme-six.com',
      'TLS.acme-six.com',
      'www.tls.acme-six.com',
      'tls-six.sites.quoin.test',
    ])
      expect({ domain, status: (await ask(domain)).status }).toEqual({ domain, status: 200 })
    for (const domain of [
      'x.tls.acme-six.com',
      'acme-six.com',
      'free.sites.quoin.test',
      '127.0.0.1',
      'localhost',
      '',
    ])
      expect({ domain, status: (await ask(domain)).status }).toEqual({ domain, status: 404 })
    expect((await sendRaw(service.url, '/internal/tls-ask')).status).toBe(404)
  })

  test('is the only one that is told: a request that it passes on finds no such route', async () => {
    for (const headers of [
      { 'X-Forwarded-For': '203.0.113.7' },
      { 'X-Forwarded-Proto': 'https' },
      { Forwarded: 'for=203.0.113.7' },
    ])
      expect(await ask('tls.acme-six.com', headers)).toMatchObject({
        status: 404,
        body: expect.stringContaining('GET /internal/tls-ask does not exist.'),
      })
  })
})

test('with QUOIN_DOMAIN_PROOF=off a domain is served at once, and belongs to one project', async () => {
  const trusting = await startProving({ env: { QUOIN_DOMAIN_PROOF: 'off' } })
  onTestFinished(() => trusting.close())
  const [first, second] = [await trusting.newProject(), await trusting.newProject()]
  const set = (project: string, key = trusting.key) =>
    trusting.call('PUT', `/projects/${project}`, { domain: 'wiki.corp.internal' }, { key })
  expect((await set(first)).body.data.hosting.domain_status).toBe('active')
  expect((await visit('wiki.corp.internal', '/', trusting)).body).toContain('Nothing is published')
  expect((await set(second)).status).toBe(400)
})

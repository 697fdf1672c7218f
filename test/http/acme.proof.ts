import { readFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig, type SettingName } from '../../src/app/config.ts'
import { type RunningServer, startServer } from '../../src/cli/server.ts'
import { DEFAULT_PERMISSIONS } from '../../src/domain/caller.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { startCommand } from '../support/command.ts'
import { freePorts, hasPebble, type Pebble, startPebble } from '../support/pebble.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const HOST = 'quoin.example.com'
const BLOCKED = 'blocked-domain.example'

interface AcmeService {
  readonly server: RunningServer
  readonly port: number
  readonly httpPort: number
  stop(): Promise<void>
}

interface AcmeOptions {
  readonly data: string
  readonly host?: string
  readonly httpPort?: number
  readonly now?: () => string
  readonly env?: Readonly<Partial<Record<SettingName, string>>>
}

async function start(pebble: Pebble, options: AcmeOptions): Promise<AcmeService> {
  const { data, host = HOST, httpPort = pebble.httpPort, now, env } = options
  const [port = 0] = await freePorts(1)
  const config = readConfig({
    QUOIN_DATA: data,
    QUOIN_HOST: '127.0.0.1',
    QUOIN_PORT: String(port),
    QUOIN_HTTP_PORT: String(httpPort),
    QUOIN_BASE_URL: `https://${host}:${port}`,
    QUOIN_SITES_DOMAIN: 'sites.example.com',
    QUOIN_TLS: 'acme',
    QUOIN_ACME_TERMS: 'agreed',
    QUOIN_ACME_EMAIL: 'operator@example.com',
    QUOIN_ACME_DIRECTORY: pebble.directory,
    QUOIN_LOG_LEVEL: 'silent',
    ...env,
  })
  const server = await startServer(config, {
    renderer: createInProcessRenderer,
    images: createInProcessImages(null),
    ...(now !== undefined && { now }),
  })
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await server.stop()
    isStopped = true
  }
  onTestFinished(stop)
  return { server, port, httpPort, stop }
}

/** The serial number of the certificate that is served for a name. Rejects when the handshake fails. */
function serialOf({ port }: AcmeService, pebble: Pebble, servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername, ca: [pebble.root] }, () => {
      resolve(socket.getPeerCertificate().serialNumber)
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

/** Resolves when a certificate is served for a name. */
async function issued(service: AcmeService, pebble: Pebble, host: string): Promise<string> {
  for (;;) {
    const serial = await serialOf(service, pebble, host).catch(() => null)
    if (serial !== null) return serial
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request to this machine under a name, over plain HTTP or, with the root of the authority, over HTTPS. */
function ask(
  port: number,
  host: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; ca?: string } = {},
): Promise<Answer> {
  const { method = 'GET', headers, body: content, ca } = options
  const send = ca === undefined ? requestPlain : request
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path, method, servername: host, ca, agent: false }
    const sent = send({ ...target, headers: { Host: host, ...headers } }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (part) => (body += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
    })
    sent.on('error', reject).end(content)
  })
}

async function newKey({ server }: AcmeService): Promise<string> {
  const wanted = { projectScope: null, name: 'test', permissions: DEFAULT_PERMISSIONS, expiresAt: null }
  return (await server.service.accounts.createKey({ ...wanted, userId: null, plan: 'enterprise' })).key
}

/** Creates a project whose site is served at a subdomain. @returns its host. */
async function newSite(service: AcmeService, pebble: Pebble, subdomain: string): Promise<string> {
  const headers = { Authorization: `Bearer ${await newKey(service)}`, 'Content-Type': 'application/json' }
  const call = async (method: string, path: string, body: object) => {
    const sent = { method, headers, body: JSON.stringify(body), ca: pebble.root }
    const answer = await ask(service.port, HOST, path, sent)
    expect(answer.status).toBeLessThan(300)
    return JSON.parse(answer.body).data
  }
  const { id } = await call('POST', '/projects', { name: subdomain })
  await call('PUT', `/projects/${id}`, { hosting: { subdomain } })
  return `${subdomain}.sites.example.com`
}

/** A clock that tests set forward. */
function createClock(): { readonly now: () => string; forward(days: number): void } {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead).toISOString(),
    forward: (days) => {
      ahead += days * 24 * 60 * 60 * 1000
    },
  }
}

describe.skipIf(!hasPebble)(
  'certificates that the service orders (install Debian\'s "pebble" to run these)',
  () => {
    test('the host of the service has one soon after the first start, and its readers are redirected to HTTPS', async () => {
      const pebble = await startPebble()
      const data = await temporaryFolder()
      const service = await start(pebble, { data })
      await issued(service, pebble, HOST)

      const key = await newKey(service)
      const authorized = { Authorization: `Bearer ${key}` }
      const me = await ask(service.port, HOST, '/users/me', { headers: authorized, ca: pebble.root })
      expect(me.status).toBe(200)
      const redirect = await ask(service.httpPort, HOST, '/dashboard?a=%20b')
      expect([redirect.status, redirect.headers.location]).toEqual([
        308,
        `https://${HOST}:${service.port}/dashboard?a=%20b`,
      ])
      // A redirect would hide that the key was sent in the clear.
      expect((await ask(service.httpPort, HOST, '/users/me', { headers: authorized })).status).toBe(403)
      expect((await ask(service.httpPort, HOST, '/pages', { method: 'POST' })).status).toBe(403)
      expect((await ask(service.httpPort, '127.0.0.1', '/readyz')).status).toBe(200)
      expect((await ask(service.httpPort, HOST, '/.well-known/acme-challenge/unknown')).status).toBe(404)
      const stored = await readFile(join(data, 'quoin.db-wal'), 'latin1')
      expect([stored.includes('BEGIN CERTIFICATE'), stored.includes('PRIVATE KEY')]).toEqual([true, false])
    })
    test('a site has one after its first visit, and other names are refused in the handshake', async () => {
      const pebble = await startPebble()
      const service = await start(pebble, { data: await temporaryFolder() })
      await issued(service, pebble, HOST)
      await expect(serialOf(service, pebble, 'docs.sites.example.com')).rejects.toThrow()
      const site = await newSite(service, pebble, 'docs')

      // The refusal is remembered for a moment.
      await issued(service, pebble, site)
      expect((await ask(service.port, site, '/', { ca: pebble.root })).status).toBe(404)
      for (const name of ['other.sites.example.com', 'sites.example.com', 'example.org', ''])
        await expect(serialOf(service, pebble, name)).rejects.toThrow()
      const records = await service.server.service.certificates?.list()
      expect(records?.map(({ host }) => host)).toEqual([site, HOST])
    })

    test('a restart serves the certificate that is stored, and orders none', async () => {
      const pebble = await startPebble()
      const data = await temporaryFolder()
      const before = await start(pebble, { data })
      const serial = await issued(before, pebble, HOST)
      await before.stop()
      const after = await start({ ...pebble, directory: 'https://localhost:1/dir' }, { data })
      expect(await issued(after, pebble, HOST)).toBe(serial)
    })

    test('it is renewed after two thirds of its lifetime, while the former one is served', async () => {
      const pebble = await startPebble()
      const { now, forward } = createClock()
      const data = await temporaryFolder()
      const service = await start(pebble, { data, now })
      const serial = await issued(service, pebble, HOST)
      const renew = async () => {
        await service.server.service.certificates?.renew()
        const [record] = (await service.server.service.certificates?.list()) ?? []
        return record
      }
      const first = await renew()
      const lifetime = Date.parse(first?.issued?.expiresAt ?? '') - Date.now()
      const days = lifetime / (24 * 60 * 60 * 1000)
      forward(days * 0.6)
      expect((await renew())?.issued?.chain).toBe(first?.issued?.chain)
      forward(days * 0.1)
      expect((await renew())?.issued?.chain).not.toBe(first?.issued?.chain)
      expect((await renew())?.problem).toBeNull()

      await service.stop()
      const after = await start(pebble, { data })
      expect(await issued(after, pebble, HOST)).not.toBe(serial)
    })

    test('a failed order is recorded with its reason, and is made again after a pause', async () => {
      const pebble = await startPebble()
      const { now, forward } = createClock()
      // Nothing answers there.
      await pebble.setAddress(HOST, '127.0.0.9')
      const service = await start(pebble, { data: await temporaryFolder(), now })
      await expect(serialOf(service, pebble, HOST)).rejects.toThrow()
      const { certificates } = service.server.service
      const record = async () => (await certificates?.list())?.[0]
      await expect.poll(async () => (await record())?.problem, { timeout: 60_000 }).toMatch(/127\.0\.0\.9/)
      expect(await record()).toMatchObject({ failures: 1, issued: null })
      await pebble.setAddress(HOST, null)
      await certificates?.renew()
      expect((await record())?.issued).toBeNull()

      forward(1)
      await certificates?.renew()
      expect(await record()).toMatchObject({ failures: 0, problem: null })
      await issued(service, pebble, HOST)
    })

    test('a name that the authority refuses leaves the service running, with the reason of the authority', async () => {
      const pebble = await startPebble()
      const service = await start(pebble, { data: await temporaryFolder(), host: BLOCKED })
      const { certificates } = service.server.service
      await expect
        .poll(async () => (await certificates?.list())?.[0]?.problem, { timeout: 60_000 })
        .toMatch(/polic|blocked/i)
      expect((await ask(service.httpPort, '127.0.0.1', '/readyz')).status).toBe(200)
    })

    test('are ordered by one of two processes, and both answer its challenge and serve the certificate', async () => {
      const pebble = await startPebble()
      const data = await temporaryFolder()
      const [httpPort = 0] = await freePorts(1)
      const one = await start(pebble, { data })
      const other = await start(pebble, {
        data,
        httpPort,
        env: { QUOIN_BASE_URL: `https://${HOST}:${one.port}` },
      })
      await issued(one, pebble, HOST)
      const site = await newSite(one, pebble, 'docs')
      // The authority asks the first process, and the second one orders.
      const serial = await issued(other, pebble, site)
      expect(await issued(one, pebble, site)).toBe(serial)
    })

    test('another master key seals the stored keys again', async () => {
      const pebble = await startPebble()
      const data = await temporaryFolder()
      const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'))
      const withKeys = (...all: readonly (string | undefined)[]) => ({
        data,
        env: { QUOIN_MASTER_KEY: all.join(',') },
      })
      const before = await start(pebble, withKeys(keys[0]))
      const serial = await issued(before, pebble, HOST)
      await before.stop()
      const settings = { QUOIN_DATA: data, QUOIN_MASTER_KEY: [keys[1], keys[0]].join(',') }
      const rotated = await startCommand(['keys', 'rotate-master', '--json'], settings).ended
      // The key of the account, and that of the certificate.
      expect(rotated).toMatchObject({ code: 0, out: '{"rewrapped":2}\n' })
      expect(await issued(await start(pebble, withKeys(keys[1])), pebble, HOST)).toBe(serial)
    })
  },
)

import { readFile, stat, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig, type SettingName } from '../../src/app/config.ts'
import { loadOrCreateCertificate } from '../../src/cli/self-signed.ts'
import { prefixed } from '../../src/domain/ids.ts'
import { sendRaw } from '../support/raw-request.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const REFUSED = { statusCode: 403, name: 'forbidden', message: 'HTTPS is required.' }
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'))
const TOO_OPEN = /matches every address; name the proxies themselves/

async function start(env: Readonly<Partial<Record<SettingName, string>>>): Promise<TestService> {
  const service = await startService({ env: { QUOIN_ALLOW_HTTP: 'false', ...env } })
  onTestFinished(() => service.close())
  return service
}

/** Ask the API who one is, with these headers besides the key. */
function whoAmI(
  { url, key }: TestService,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
) {
  return sendRaw(url, '/users/me', { headers: { Authorization: `Bearer ${key}`, ...headers } })
}

describe('plain HTTP', () => {
  test('is refused by the API, whatever the key and the route, and never redirected', async () => {
    const service = await start({})
    for (const path of [
      '/users/me',
      '/projects',
      '/v1/users/me',
      '/render/page_aaaaaaaaaaaaaaaa',
      '/nothing',
    ]) {
      for (const key of [service.key, 'wrong']) {
        const answer = await sendRaw(service.url, path, { headers: { Authorization: `Bearer ${key}` } })
        expect(answer.status).toBe(403)
        expect(answer.headers.location).toBeUndefined()
        expect(JSON.parse(answer.body)).toEqual(REFUSED)
      }
    }
    expect((await sendRaw(service.url, '/users/me')).status).toBe(403)
  })

  test('is enough for visitors and for monitoring', async () => {
    const service = await start({})
    const { projects } = service.server.service
    const { project } = await projects.createFor(service.userId, 'Site')
    expect((await sendRaw(service.url, '/healthz')).status).toBe(200)
    expect((await sendRaw(service.url, '/readyz')).status).toBe(200)
    const visited = await sendRaw(service.url, `/public/${prefixed('proj', project.id)}/`)
    expect(visited).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } })
  })

  test('reaches the API where the operator allows it', async () => {
    expect((await whoAmI(await start({ QUOIN_ALLOW_HTTP: 'true' }))).status).toBe(200)
  })
})

describe('X-Forwarded-Proto', () => {
  const https = { 'X-Forwarded-Proto': 'https' }

  test.each(['127.0.0.1', '127.0.0.0/8', '10.0.0.1, 127.0.0.1', '::ffff:127.0.0.1'])(
    'counts from a proxy named by %j',
    async (proxies) => {
      const service = await start({ QUOIN_TRUST_PROXY: proxies })
      expect((await whoAmI(service, https)).status).toBe(200)
      expect((await whoAmI(service)).status).toBe(403)
    },
  )

  test.each(['', '127.0.0.2', '10.0.0.0/8', '::1'])('is ignored from anybody else (%j)', async (proxies) => {
    const service = await start({ QUOIN_TRUST_PROXY: proxies })
    const answer = await whoAmI(service, https)
    expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({ status: 403, body: REFUSED })
  })

  test.runIf(hasIpv6)('counts from an IPv4 proxy that a dual-stack socket shows as IPv6', async () => {
    const service = await start({ QUOIN_HOST: '::', QUOIN_TRUST_PROXY: '127.0.0.1' })
    const url = service.url.replace('localhost', '127.0.0.1')
    expect((await whoAmI({ ...service, url }, https)).status).toBe(200)
  })

  test.each([
    ['https', 200],
    ['HTTPS', 200],
    ['http, https', 200],
    [' http ,https ', 200],
    ['https, http', 403],
    ['https,', 403],
    ['', 403],
    ['httpss', 403],
  ])('%j from a trusted proxy is answered %i: the last value was written by it', async (value, status) => {
    const service = await start({ QUOIN_TRUST_PROXY: '127.0.0.1' })
    expect((await whoAmI(service, { 'X-Forwarded-Proto': value })).status).toBe(status)
  })

  test('counts by its last header line when there are two', async () => {
    const service = await start({ QUOIN_TRUST_PROXY: '127.0.0.1' })
    expect((await whoAmI(service, { 'X-Forwarded-Proto': ['https', 'http'] })).status).toBe(403)
    expect((await whoAmI(service, { 'X-Forwarded-Proto': ['http', 'https'] })).status).toBe(200)
  })

  test.each(['Forwarded', 'X-Forwarded-Ssl', 'X-Forwarded-Scheme', 'Front-End-Https', 'X-Url-Scheme'])(
    'has no second spelling (%s)',
    async (name) => {
      const service = await start({ QUOIN_TRUST_PROXY: '127.0.0.1' })
      const value = name === 'Forwarded' ? 'proto=https' : name.includes('S') ? 'https' : 'on'
      expect((await whoAmI(service, { [name]: value })).status).toBe(403)
    },
  )
})

describe('trusted proxies', () => {
  test.each(['0.0.0.0/0', '::/0', '10.0.0.0/0', '::/1', '::ffff:0:0/96', '10.0.0.1, 0.0.0.0/0'])(
    'are never everyone (%s)',
    async (proxies) => {
      await expect(start({ QUOIN_TRUST_PROXY: proxies })).rejects.toThrow(TOO_OPEN)
    },
  )

  test.each(['everyone', '*', 'localhost', '10.0.0.0/33', '10.0.0.0/', '/8', '1.2.3.4/5/6', '10.0.0'])(
    'are addresses or ranges (%s is neither)',
    async (proxies) => {
      await expect(start({ QUOIN_TRUST_PROXY: proxies })).rejects.toThrow('QUOIN_TRUST_PROXY: ')
    },
  )
})

describe('the service’s own HTTPS', () => {
  test('with certificate and key from files is enough for the API', async () => {
    const folder = await temporaryFolder()
    const names = { name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }
    const { cert, private: key } = await generate([], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [names],
    })
    await writeFile(join(folder, 'cert.pem'), cert)
    await writeFile(join(folder, 'key.pem'), key)
    const service = await start({
      QUOIN_TLS_CERT: join(folder, 'cert.pem'),
      QUOIN_TLS_KEY: join(folder, 'key.pem'),
    })
    expect(service.url).toMatch(/^https:/)
    const answer = await sendRaw(service.url, '/users/me', {
      headers: { Authorization: `Bearer ${service.key}` },
      ca: cert,
    })
    expect(answer).toMatchObject({ status: 200, headers: { 'x-request-id': expect.any(String) } })
  })

  test.each(['cert', 'key'])('stops the start when the %s file is not PEM', async (broken) => {
    const folder = await temporaryFolder()
    const pems = await generate([], { keyType: 'ec', algorithm: 'sha256' })
    const texts = { cert: pems.cert, key: pems.private, [broken]: 'no PEM' }
    await writeFile(join(folder, 'cert.pem'), texts.cert)
    await writeFile(join(folder, 'key.pem'), texts.key)
    const files = { QUOIN_TLS_CERT: join(folder, 'cert.pem'), QUOIN_TLS_KEY: join(folder, 'key.pem') }
    await expect(start(files)).rejects.toThrow('QUOIN_TLS_CERT, QUOIN_TLS_KEY: ')
  })
})

describe('a self-signed certificate', () => {
  test('serves HTTPS to clients that trust it, and to no others', async () => {
    const service = await start({ QUOIN_TLS: 'self-signed' })
    expect(service.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect((await whoAmI(service)).status).toBe(200)
    const ca = await readFile(join(service.data, 'self-signed.pem'), 'utf8')
    expect((await sendRaw(service.url, '/healthz', { ca })).status).toBe(200)
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow('fetch failed')
  })

  test('is readable by its owner only, and kept over a restart', async () => {
    const data = await temporaryFolder()
    const file = join(data, 'self-signed.pem')
    const restart = async () => {
      const service = await startService({ data, env: { QUOIN_TLS: 'self-signed' } })
      await service.close()
      return readFile(file, 'utf8')
    }
    const first = await restart()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await restart()).toBe(first)
  })

  test('is replaced when it has expired, does not name the host, or is damaged', async () => {
    const data = await temporaryFolder()
    const file = join(data, 'self-signed.pem')
    const now = Date.parse('2026-01-01T00:00:00Z')
    const wanted = { data, host: '127.0.0.1', now }
    const first = await loadOrCreateCertificate(wanted)
    const year = 366 * 24 * 60 * 60 * 1000
    expect(await loadOrCreateCertificate({ ...wanted, now: now + year / 2 })).toBe(first)
    for (const host of ['localhost', '::1'])
      expect(await loadOrCreateCertificate({ ...wanted, host })).toBe(first)

    const later = await loadOrCreateCertificate({ ...wanted, now: now + year })
    expect(later).not.toBe(first)
    const named = await loadOrCreateCertificate({ data, host: 'quoin.example.com', now: now + year })
    expect(named).not.toBe(later)

    for (const damaged of [
      '',
      'no PEM',
      named.slice(0, 300),
      named.slice(named.indexOf('-----BEGIN CERT')),
    ]) {
      await writeFile(file, damaged)
      const mended = await loadOrCreateCertificate(wanted)
      expect(mended).toContain('PRIVATE KEY-----')
      expect(await readFile(file, 'utf8')).toBe(mended)
    }
  })

  test.each([
    { QUOIN_TLS_CERT: '/cert.pem' },
    { QUOIN_TLS_KEY: '/key.pem' },
    { QUOIN_TLS_CERT: '/cert.pem', QUOIN_TLS_KEY: '/key.pem' },
  ])('does not go with %j', async (files) => {
    await expect(start({ QUOIN_TLS: 'self-signed', ...files })).rejects.toThrow(
      'QUOIN_TLS: self-signed cannot be combined with QUOIN_TLS_CERT and QUOIN_TLS_KEY',
    )
  })
})

describe('settings of certificates that the service orders', () => {
  const base = { QUOIN_TLS: 'acme', QUOIN_ACME_TERMS: 'agreed', QUOIN_BASE_URL: 'https://quoin.example.com' }
  const read = (env: Readonly<Partial<Record<SettingName, string>>>) => () => readConfig({ ...base, ...env })

  test('choose the ports of the web, all addresses and the authority, unless they say otherwise', () => {
    expect(read({})()).toMatchObject({
      host: '0.0.0.0',
      port: 443,
      tls: { directory: 'https://acme-v02.api.letsencrypt.org/directory', email: null, httpPort: 80 },
    })
    expect(read({ QUOIN_PORT: '8443', QUOIN_HTTP_PORT: '8080', QUOIN_HOST: '::' })()).toMatchObject({
      host: '::',
      port: 8443,
      tls: { httpPort: 8080 },
    })
    expect(read({ QUOIN_ROLE: 'worker' })().tls).toBeNull()
  })

  test.each<[Readonly<Partial<Record<SettingName, string>>>, RegExp]>([
    [{ QUOIN_TLS: 'letsencrypt' }, /^QUOIN_TLS: must be acme, self-signed or empty/],
    [{ QUOIN_ACME_TERMS: '' }, /^QUOIN_ACME_TERMS: must be agreed/],
    [{ QUOIN_ACME_TERMS: 'yes' }, /^QUOIN_ACME_TERMS: must be agreed/],
    [{ QUOIN_BASE_URL: '' }, /^QUOIN_BASE_URL: must be https:/],
    [{ QUOIN_BASE_URL: 'http://quoin.example.com' }, /^QUOIN_BASE_URL: must be https:/],
    [{ QUOIN_BASE_URL: 'https://192.5.6.30' }, /^QUOIN_BASE_URL: must be https:/],
    [{ QUOIN_BASE_URL: 'https://localhost' }, /^QUOIN_BASE_URL: must be https:/],
    [{ QUOIN_ACME_EMAIL: 'ada' }, /^QUOIN_ACME_EMAIL: must be an e-mail address/],
    [{ QUOIN_ACME_DIRECTORY: 'http://localhost/dir' }, /^QUOIN_ACME_DIRECTORY: must be an https URL/],
    [{ QUOIN_HTTP_PORT: '70000' }, /^QUOIN_HTTP_PORT: must be a number/],
    [{ QUOIN_TLS_CERT: 'a.pem' }, /^QUOIN_TLS: acme cannot be combined/],
    [{ QUOIN_TLS: 'self-signed' }, /^QUOIN_ACME_TERMS: has no effect without QUOIN_TLS=acme/],
  ])('%j is refused by the name of the setting', (env, message) => {
    expect(read(env)).toThrow(message)
  })
})

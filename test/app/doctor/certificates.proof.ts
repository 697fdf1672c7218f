import { writeFile } from 'node:fs/promises'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { beforeAll, describe, expect, test } from 'vitest'
import { examineServedCertificates } from '../../../src/app/doctor/certificates.ts'
import { startCommand } from '../../support/command.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { certificate } from './certificate.ts'
import {
  change,
  DAY_MS,
  type Env,
  findings,
  found,
  installation,
  linesOf,
  testEveryFinding,
} from './findings.ts'
import { listening } from './listening.ts'

describe('certificates that the service orders', () => {
  const acme = {
    QUOIN_TLS: 'acme',
    QUOIN_ACME_TERMS: 'agreed',
    QUOIN_BASE_URL: 'https://quoin.example.com',
  } as const
  const now = Date.parse('2026-03-10T00:00:00.000Z')
  const row = (host: string, expires: string | null, problem: string | null) => {
    const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`)
    const issued = expires === null ? 'NULL, NULL, NULL' : `'PEM', 'sealed', 'key'`
    return `INSERT INTO certificates (host, chain, secret, master_key_id, expires_at, due_at, failures, problem)
      VALUES ('${host}', ${issued}, ${text(expires)}, '2026-03-10T01:00:00.000Z', 0, ${text(problem)})`
  }

  test('are counted when all were issued, and the start of the service is named while none was', async () => {
    const data = await installation()
    expect(await found('certificate', { QUOIN_DATA: data, ...acme }, { now })).toEqual([
      'warning No certificate of quoin.example.com was ordered yet. Start the service: it orders the certificate at its start.',
    ])
    await change(data, row('quoin.example.com', '2026-05-01T00:00:00.000Z', null))
    expect(await found('certificate', { QUOIN_DATA: data, ...acme }, { now })).toEqual([
      'ok Certificates that the service ordered: 1.',
    ])
  })

  test('are errors when they were not issued, and warnings with the reason when they were not renewed', async () => {
    const data = await installation()
    await change(data, row('docs.example.org', '2026-03-20T00:00:00.000Z', 'Connection refused.'))
    await change(data, row('quoin.example.com', null, 'No address.'))
    expect(await found('certificate', { QUOIN_DATA: data, ...acme }, { now })).toEqual([
      'warning The certificate of docs.example.org was not renewed: Connection refused. It is ordered again at 2026-03-10T01:00:00.000Z. Check that docs.example.org leads to this service, and that port 80 is open to the internet.',
      'error The certificate of quoin.example.com was not issued: No address. It is ordered again at 2026-03-10T01:00:00.000Z. Check that quoin.example.com leads to this service, and that port 80 is open to the internet.',
    ])
  })
})

describe('the certificate of QUOIN_TLS_CERT', () => {
  const made = new Date()
  let pems: Readonly<Record<'own' | 'other', Awaited<ReturnType<typeof certificate>>>>
  beforeAll(async () => {
    const [own, other] = [
      await certificate('quoin.example.com', made),
      await certificate('quoin.example.com', made),
    ]
    pems = { own, other }
  })
  const found = async (key: 'own' | 'other', env: Env, now = made.getTime() + DAY_MS) => {
    const data = await installation()
    await writeFile(join(data, 'own.pem'), pems.own.cert)
    for (const name of ['own', 'other'] as const)
      await writeFile(join(data, `${name}.key`), pems[name].private)
    const QUOIN_TLS_CERT = join(data, 'own.pem')
    const QUOIN_TLS_KEY = join(data, `${key}.key`)
    const QUOIN_BASE_URL = 'https://quoin.example.com:1'
    const settings = { QUOIN_DATA: data, QUOIN_TLS_CERT, QUOIN_TLS_KEY, QUOIN_BASE_URL, ...env }
    const all = await findings(settings, { now })
    return all
      .filter(({ check }) => check === 'certificate')
      .map(({ level, message }) => `${level} ${message}`)
  }

  test.each([
    ['is valid', {}, 1, /^ok The certificate of QUOIN_TLS_CERT is valid for 88 days\.$/],
    ['ends soon', {}, 80, /^warning .* ends on /],
    ['has ended', {}, 91, /^error .* ended on /],
    ['is not valid yet', {}, -2, /^error .* is not valid before /],
    [
      'is for another host',
      { QUOIN_BASE_URL: 'https://quoin.example.org' },
      1,
      /^error The certificate .* is not for quoin\.example\.org/,
    ],
  ])('%s', async (_, env: Env, days, message) => {
    expect(await found('own', env, made.getTime() + days * DAY_MS)).toEqual([expect.stringMatching(message)])
  })

  test('needs its own key', async () => {
    expect(await found('other', {})).toEqual([
      'error QUOIN_TLS_KEY is not the key of the certificate in QUOIN_TLS_CERT.',
    ])
  })
})

test('a file of QUOIN_TLS_CERT that holds no certificate is an error', async () => {
  const data = await installation()
  const file = join(data, 'text.pem')
  await writeFile(file, 'a text')
  const settings = { QUOIN_DATA: data, QUOIN_TLS_CERT: file, QUOIN_TLS_KEY: file }
  expect(await found('certificate', settings)).toEqual([
    expect.stringMatching(/^error QUOIN_TLS_CERT, QUOIN_TLS_KEY: \S/),
  ])
})

describe('a certificate that visitors are served', () => {
  /** Runs the doctor in a process that trusts the certificate, and serves it at the content URL. */
  const served = async (age: number) => {
    const folder = await temporaryFolder()
    const { cert, private: key } = await certificate('localhost', new Date(Date.now() - age * DAY_MS))
    await writeFile(join(folder, 'issuer.pem'), cert)
    const port = await listening(createServer({ cert, key }))
    const env = {
      QUOIN_DATA: folder,
      QUOIN_BASE_URL: 'http://127.0.0.1:1',
      QUOIN_CONTENT_URL: `https://localhost:${port}`,
      QUOIN_ALLOW_HTTP: 'true',
      NODE_EXTRA_CA_CERTS: join(folder, 'issuer.pem'),
    }
    const { out } = await startCommand(['doctor', '--json'], env).ended
    return linesOf('certificate', JSON.parse(out).findings).map((line) => line.replace(`:${port}`, ''))
  }

  test('is named with its days, and is a warning when it ends soon', async () => {
    expect(await served(1)).toEqual([
      expect.stringMatching(/^ok The certificate of localhost is valid for 8[89] days\.$/),
    ])
    expect(await served(80)).toEqual([
      expect.stringMatching(/^warning The certificate of localhost ends on .*\. Renew it\.$/),
    ])
  })

  test('is an error when the server does not answer', async () => {
    const port = await listening(createTcpServer())
    const [line] = linesOf(
      'certificate',
      await examineServedCertificates('certificate', [`127.0.0.1:${port}`], 0),
    )
    expect(line).toBe(
      `error https://127.0.0.1:${port} cannot be used: no answer within 5 s. Check the proxy that has its certificate.`,
    )
  })

  test('is read for a custom domain as well', async () => {
    const env = await installation()
    const service = await startService({
      data: env,
      env: { QUOIN_DATABASE_URL: `sqlite:${join(env, 'quoin.db')}` },
    })
    const project = await service.newProject()
    await service.call('PUT', `/projects/${project}`, { domain: 'docs.quoin.invalid' })
    await service.close()
    expect(
      await found('domains', { QUOIN_DATA: env, QUOIN_BASE_URL: 'http://127.0.0.1:1' }, { network: true }),
    ).toEqual([
      expect.stringMatching(/^error https:\/\/docs\.quoin\.invalid cannot be used: .*\. Check the proxy/),
    ])
  })
})

testEveryFinding('certificates.ts')

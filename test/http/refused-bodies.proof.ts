import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_PERMISSIONS } from '../../src/domain/caller.ts'
import { type DashboardClient, signedIn } from '../support/dashboard.ts'
import { startService, type TestService } from '../support/service.ts'
import { openServiceDatabase } from '../support/test-database.ts'

const MEBIBYTE = 2 ** 20

let service: TestService
let project: string
let owner: DashboardClient
/** A key over its limit. */
let spent: string
/** A session over the limit of its account. */
let spentSession: DashboardClient
beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  owner = await signedIn(service)
  const user = await service.newUser()
  const wanted = { userId: user, projectScope: null, name: 'a', permissions: DEFAULT_PERMISSIONS }
  spentSession = await signedIn(service, user)
  for (let i = 0; i < 6; i++) {
    const { accounts } = service.server.service
    spent = (await accounts.createKey({ ...wanted, plan: 'standard', expiresAt: null })).key
    await Promise.all(
      Array.from({ length: 100 }, () => service.call('GET', '/users/me', undefined, { key: spent })),
    )
  }
})
afterAll(() => service?.close())

/** Sends the head of a request and no byte of its body. @returns the status and the headers of the answer. */
async function announce(path: string, headers: Readonly<Record<string, string>>) {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ Host: `${hostname}:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write([`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  let head = ''
  for await (const chunk of socket) {
    head += String(chunk)
    if (head.includes('\r\n\r\n')) break
  }
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? []
  return [Number(status), /^connection: (.*)$/im.exec(head)?.[1]?.trim() ?? null]
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }
const of = (bytes: number) => ({ 'Content-Length': String(bytes) })
const by = (key: string) => ({ Authorization: `Bearer ${key}` })
const withCookie = ({ cookie }: DashboardClient) => ({ Cookie: cookie ?? '' })

describe('a body is refused before a byte of it arrives, and its connection is closed', () => {
  test.each<[string, number, () => [string, Readonly<Record<string, string>>]]>([
    [
      'too long for the API',
      413,
      () => ['/pages', { ...by(service.key), ...JSON_TYPE, ...of(6 * MEBIBYTE) }],
    ],
    ['too long for /v1', 413, () => ['/v1/pages', { ...by(service.key), ...JSON_TYPE, ...of(6 * MEBIBYTE) }]],
    ['too long for /mcp', 413, () => ['/mcp', { ...by(service.key), ...JSON_TYPE, ...of(6 * MEBIBYTE) }]],
    ['without a key', 401, () => ['/pages', { ...JSON_TYPE, ...of(MEBIBYTE) }]],
    ['of a key over its limit', 429, () => ['/pages', { ...by(spent), ...JSON_TYPE, ...of(MEBIBYTE) }]],
    [
      'of unknown length, of a key over its limit',
      429,
      () => ['/pages', { ...by(spent), ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }],
    ],
    ['for a path that does not exist', 404, () => ['/nothing', { ...by(service.key), ...of(MEBIBYTE) }]],
    [
      'a file that is too large',
      422,
      () => [
        `/projects/${project}/assets`,
        { ...by(service.key), 'Content-Type': 'image/png', ...of(200e6) },
      ],
    ],
    [
      'a file of a key over its limit',
      429,
      () => [`/projects/${project}/assets`, { ...by(spent), 'Content-Type': 'image/png', ...of(MEBIBYTE) }],
    ],
    [
      'too long for the form of a sign-in',
      413,
      () => ['/dashboard/sign-in', { ...FORM_TYPE, ...of(MEBIBYTE) }],
    ],
    [
      'a form of a session over the limit of its account',
      429,
      () => ['/dashboard/account/name', { ...FORM_TYPE, ...withCookie(spentSession), ...of(MEBIBYTE) }],
    ],
    [
      'a form of another site',
      403,
      () => [
        '/dashboard/projects',
        { ...FORM_TYPE, ...withCookie(owner), 'Sec-Fetch-Site': 'cross-site', ...of(MEBIBYTE) },
      ],
    ],
    [
      'too long for a form',
      413,
      () => ['/dashboard/projects', { ...FORM_TYPE, ...withCookie(owner), ...of(6 * MEBIBYTE) }],
    ],
    ['a long form without a session', 413, () => ['/dashboard/projects', { ...FORM_TYPE, ...of(MEBIBYTE) }]],
  ])('for the case %s: %i', async (_, status, request) => {
    expect(await announce(...request())).toEqual([status, 'close'])
  })
})

test('a body that is refused unread counts as one of its size that was read', async () => {
  const remaining = async (bytes: number) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(
      `POST /pages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer unknown\r\nContent-Length: ${bytes}\r\n\r\n`,
    )
    await once(socket, 'data')
    socket.destroy()
    const { headers } = await fetch(`${service.url}/healthz`)
    return Number(headers.get('x-ratelimit-remaining'))
  }
  const before = await remaining(100_000)
  expect(await remaining(5 * MEBIBYTE)).toBe(before - 1 - 20)
  // No client pays for more than an endpoint reads.
  expect(await remaining(500 * MEBIBYTE)).toBe(before - 2 - 40)
})

describe('a form that needs no session', () => {
  const send = (path: string, bytes: number) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: FORM_TYPE,
      body: `email=${'a'.repeat(bytes - 6)}`,
      redirect: 'manual',
    })

  test.each(['sign-in', 'sign-in/code', 'sign-in/passkey', 'set-up', 'forgotten', 'invitation', 'language'])(
    'takes 16 KiB and not a byte more (%s)',
    async (view) => {
      expect((await send(`/dashboard/${view}`, 16 * 1024)).status).not.toBe(413)
      expect((await send(`/dashboard/${view}`, 16 * 1024 + 1)).status).toBe(413)
    },
  )
})

test('a form whose session ends while it arrives changes nothing, and its page shows what was typed', async () => {
  const person = await signedIn(service, await service.newUser())
  const view = (await person.get('/dashboard/account')).html
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(view) ?? []
  const body = String(new URLSearchParams({ token, name: 'Arrived too late', start: 'blank' }))
  const { hostname, port } = new URL(service.url)
  const sent = request({
    hostname,
    port,
    method: 'POST',
    path: '/dashboard/start',
    // The interim answer proves that the service has begun with the request.
    headers: { ...FORM_TYPE, ...withCookie(person), ...of(body.length), Expect: '100-continue' },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.flushHeaders()
  await once(sent, 'continue')
  sent.write(body.slice(0, -1))
  // Looked up after the session of the form.
  expect((await person.get('/dashboard/account')).status).toBe(200)
  await service.server.service.sessions.signOut((person.cookie ?? '').split('=')[1] ?? '')
  sent.end(body.slice(-1))
  const [answer] = await answered
  expect(answer.statusCode).toBe(401)
  expect(await text(answer)).toContain('Arrived too late')
  const { reader, close } = await openServiceDatabase(service.data)
  expect(await reader('projects').where({ name: 'Arrived too late' })).toEqual([])
  await close()
})

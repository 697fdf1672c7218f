import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createProveDomain, type ProveDomain } from '../../src/custom-domains/prove-domain.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'

const DOMAIN = 'docs.acme.com'
const RECORD = `_quoin-challenge.${DOMAIN}`
const TOKEN = 'proj_abcdefghjkmnpqrs'

interface Setting {
  readonly names: NameServer
  readonly requests: readonly string[]
  readonly prove: ProveDomain
}

/** A name server and a web server on loopback, to which every domain leads. */
async function start(
  answer: RequestListener = (_, response) => void response.writeHead(404).end(),
  { allowPrivate = true, addresses = ['127.0.0.1'] } = {},
): Promise<Setting> {
  const names = await startNameServer()
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host?.split(':')[0]}${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await names.close()
  })
  const targets = { rules: { allowHttp: true, allowPrivate }, resolve: async () => addresses }
  const prove = createProveDomain({
    targets,
    nameServers: [names.address],
    port: (server.address() as AddressInfo).port,
  })
  return { names, requests, prove }
}

const never = new AbortController().signal

test('a TXT record with the token proves a domain, also next to others and in several chunks', async () => {
  const { names, requests, prove } = await start()
  for (const records of [[TOKEN], ['v=spf1 -all', TOKEN], [` ${TOKEN} `]]) {
    names.zone.set(RECORD, records)
    expect(await prove(DOMAIN, TOKEN, never)).toEqual({ provedBy: 'dns' })
  }
  const long = 'x'.repeat(600)
  names.zone.set(RECORD, [long])
  expect(await prove(DOMAIN, long, never)).toEqual({ provedBy: 'dns' })
  expect(names.asked.every((name) => name === RECORD)).toBe(true)
  expect(requests).toEqual([])
})

test('a file with the token proves a domain', async () => {
  const { requests, prove } = await start((_, response) => void response.end(`${TOKEN}\n`))
  expect(await prove(DOMAIN, TOKEN, never)).toEqual({ provedBy: 'http' })
  expect(requests).toEqual([`GET ${DOMAIN}/.well-known/quoin-challenge`])
})

test.each([
  ['of another project', 'proj_zzzzzzzzzzzzzzzz'],
  ['inside other text', `${TOKEN}x`],
  ['in a page that repeats it', `<html>${TOKEN}</html>`],
])('a token %s proves nothing', async (_, content) => {
  const { names, prove } = await start((__, response) => void response.end(content))
  names.zone.set(RECORD, [content])
  expect(await prove(DOMAIN, TOKEN, never)).toEqual({
    problem: `No TXT record of ${RECORD} holds ${TOKEN}. http://${DOMAIN}/.well-known/quoin-challenge: has other content.`,
  })
})

test('a token at the domain itself, or at its parent, proves nothing', async () => {
  const { names, prove } = await start()
  names.zone.set(DOMAIN, [TOKEN])
  names.zone.set('_quoin-challenge.acme.com', [TOKEN])
  expect(await prove(DOMAIN, TOKEN, never)).toEqual({
    problem: `There is no TXT record ${RECORD}. http://${DOMAIN}/.well-known/quoin-challenge: answered 404.`,
  })
})

test('a redirect is not followed', async () => {
  const { requests, prove } = await start((_, response) => {
    response.writeHead(302, { Location: '/elsewhere' }).end(TOKEN)
  })
  expect(await prove(DOMAIN, TOKEN, never)).toMatchObject({
    problem: expect.stringContaining('answered 302.'),
  })
  expect(requests).toHaveLength(1)
})

test('an endless file is read to its limit only', async () => {
  const { prove } = await start((_, response) => {
    const write = () => {
      while (response.write(Buffer.alloc(16_384, 'a')));
    }
    response.on('drain', write)
    write()
  })
  expect(await prove(DOMAIN, TOKEN, never)).toMatchObject({
    problem: expect.stringContaining('other content'),
  })
})

test('a web server at a private address is not asked', async () => {
  for (const addresses of [['127.0.0.1'], ['169.254.169.254'], ['93.184.216.34', '10.0.0.1']]) {
    const { requests, prove } = await start((_, response) => void response.end(TOKEN), {
      allowPrivate: false,
      addresses,
    })
    expect(await prove(DOMAIN, TOKEN, never)).toMatchObject({
      problem: expect.stringContaining('private or reserved'),
    })
    expect(requests).toEqual([])
  }
})

test('name servers that fail are told apart from a missing record', async () => {
  const { names, prove } = await start()
  names.zone.set(RECORD, 'broken')
  expect(await prove(DOMAIN, TOKEN, never)).toMatchObject({
    problem: expect.stringContaining(`The name servers did not answer for ${RECORD} (ESERVFAIL).`),
  })
})

test('a check ends when the service stops, though the name servers are silent', async () => {
  const { names, requests, prove } = await start((_, response) => void response.end(TOKEN))
  names.zone.set(RECORD, 'silent')
  const stopping = new AbortController()
  const checked = prove(DOMAIN, TOKEN, stopping.signal)
  await expect.poll(() => names.asked.length).toBeGreaterThan(0)
  const asked = names.asked.length
  stopping.abort()
  expect(await checked).toMatchObject({ problem: expect.stringContaining('ECANCELLED') })
  expect([names.asked.length, requests]).toEqual([asked, []])
})

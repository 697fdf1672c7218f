import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { answerMalformedRequests } from '../../src/http/malformed-requests.ts'

/** A server whose requests are all malformed. */
async function send(
  bytes: string,
  later = '',
): Promise<{ head: string; body: { name: string; message: string } }> {
  const server = createServer({ connectionsCheckingInterval: 20, headersTimeout: 60, requestTimeout: 80 })
  answerMalformedRequests(server)
  server.on('request', (_, response) => response.writeHead(200).write('half an answer'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(bytes)
  if (later !== '') socket.once('data', () => socket.write(later))
  const all = text(socket)
  const [head = '', body = ''] = (await all).split('\r\n\r\n')
  return { head, body: body.startsWith('{') ? JSON.parse(body) : body }
}

test.each([
  ['that is no HTTP', 'HELO there\r\n\r\n', 422, 'invalid_request', /well-formed/],
  [
    'with a header that is too large',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    413,
    'payload_too_large',
    /URL and headers of the request/,
  ],
  ['that does not end', 'GET / HTTP/1.1\r\nHost: x\r\n', 422, 'invalid_request', /too long/],
  [
    'with an unknown expectation',
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n',
    422,
    'invalid_request',
    /^Expect: /,
  ],
])('a request %s is answered as every other error is', async (_, bytes, status, name, message) => {
  const { head, body } = await send(bytes)
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(body).toEqual({ statusCode: status, name, message: expect.stringMatching(message) })
  for (const header of [
    /^X-Request-Id: \S+$/m,
    /^service-version: \d{4}-/m,
    /^Access-Control-Allow-Origin: \*/m,
  ])
    expect(head.replaceAll('\r', '')).toMatch(header)
})

test('nothing is written into an answer that has begun', async () => {
  const { head, body } = await send('GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'nonsense\r\n\r\n')
  expect(head).toContain('200')
  expect(JSON.stringify(body)).not.toContain('statusCode')
})

test('an idle connection does not keep its last answer in memory', async () => {
  const server = createServer({ keepAliveTimeout: 0 })
  answerMalformedRequests(server)
  const answers: WeakRef<ServerResponse>[] = []
  const isFinished = new Promise<void>((resolve) => {
    server.on('request', (_, response) => {
      answers.push(new WeakRef(response))
      response.end('answer')
      response.once('close', () => resolve())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await isFinished
  await setImmediate()

  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  expect(answers.map((answer) => answer.deref())).toEqual([undefined])
  expect(socket.closed).toBe(false)
})

import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { send } from '../../src/webhooks/send.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'
const PATIENCE_MS = 300

/** Sends to a server that calls this for each connection once it has read the head of the request. */
async function sendTo(act: (socket: Socket) => void, stopping = new AbortController().signal) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => act(socket))
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const url = new URL(`http://127.0.0.1:${port}/`)
  const rules = { allowHttp: true, allowPrivate: true }
  const ports = { rules, resolve: async () => [], timeoutMs: PATIENCE_MS }
  const received = await send({ url, headers: {}, body: '{}' }, ports, stopping)
  return { received, sockets }
}

test('a response is read whole, and not decompressed', async () => {
  const { received } = await sendTo((socket) =>
    socket.end(`${HEAD}Content-Encoding: gzip\r\nRetry-After: 5\r\nContent-Length: 4\r\n\r\nText`),
  )
  expect(received).toEqual({ status: 200, answer: 'Text', retryAfter: '5', failure: null })
})

test('a receiver that never responds is abandoned after the time limit', async () => {
  const { received } = await sendTo(() => {})
  expect(received).toMatchObject({
    status: null,
    failure: 'The receiver did not reply completely within 0.3 s.',
  })
})

test('a receiver that sends single bytes is abandoned after the time limit, in the head and in the body', async () => {
  const drip = (start: string) => (socket: Socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  }
  expect((await sendTo(drip(`${HEAD}X: `))).received.status).toBeNull()
  const { received } = await sendTo(drip(`${HEAD}\r\n`))
  expect(received).toMatchObject({
    status: 200,
    failure: 'The receiver did not reply completely within 0.3 s.',
  })
  expect(received.answer).toMatch(/^x+$/)
})

test('only the beginning of a 10 GB response is read, and the connection is closed', async () => {
  const chunk = Buffer.alloc(2 ** 20, 'x')
  let written = 0
  const { received, sockets } = await sendTo((socket) => {
    socket.write(`${HEAD}Content-Length: 10737418240\r\n\r\n`)
    const fill = () => {
      while (!socket.destroyed && socket.write(chunk)) written += chunk.length
    }
    socket.on('drain', fill)
    fill()
  })
  expect(received.answer).toHaveLength(64 * 1024)
  expect(received.failure).toBe('Only the first 64 KB of the reply were read.')
  await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true)
  expect(written).toBeLessThan(64 * 2 ** 20)
})

test('invalid HTTP, an endless head, a protocol upgrade and a refused connection are failed attempts, not exceptions', async () => {
  const answers = [
    'SSH-2.0-OpenSSH_9.6\r\n',
    `${HEAD}${'X: y\r\n'.repeat(20_000)}\r\n`,
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    '',
  ]
  for (const answer of answers) {
    const { received } = await sendTo((socket) => socket.end(answer))
    expect(received).toMatchObject({ status: null, failure: expect.stringMatching(/.+/) })
  }
})

test('an attempt is aborted when the service stops', async () => {
  const stopping = new AbortController()
  const sending = sendTo(() => stopping.abort(), stopping.signal)
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
})

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'

/** A request that the receiver got. */
export interface Got {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  readonly body: any
}

export interface Receiver {
  readonly url: string
  /** All requests, oldest first. */
  readonly got: readonly Got[]
  /** The number of connections, with or without a request. */
  connections(): number
  /** Resolves with the first requests as soon as there are this many. */
  first(count: number): Promise<readonly Got[]>
  close(): Promise<void>
}

export type Answer = (got: Got, response: ServerResponse, request: IncomingMessage) => void

/** A webhook receiver on loopback. It answers 204 by default. */
export async function startReceiver(
  answer: Answer = (_, response) => void response.writeHead(204).end(),
): Promise<Receiver> {
  const got: Got[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const one = {
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      text,
      body: JSON.parse(text),
    }
    got.push(one)
    answer(one, response, request)
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    got,
    connections: () => connections,
    async first(count) {
      await expect.poll(() => got.length, { interval: 10 }).toBeGreaterThanOrEqual(count)
      return got.slice(0, count)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Verifies the signature with the package that receivers use. @throws when it does not match the secret. */
export function verified(got: Got, secret: string): Got['body'] {
  return new Webhook(secret).verify(got.text, got.headers as Record<string, string>)
}

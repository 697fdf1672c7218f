import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { FuzzRequest } from './random-requests.ts'

export interface FuzzAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Sender {
  /** @throws if the connection closes without a response. */
  send(request: FuzzRequest): Promise<FuzzAnswer>
  close(): void
}

/** Sends requests unchanged. `fetch` would correct many paths and headers. */
export function createSender(baseUrl: string, connections: number): Sender {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })

  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const isChunked = headers['Transfer-Encoding'] !== undefined
        const length = body === null || isChunked ? {} : { 'Content-Length': String(body.byteLength) }
        const sent = request(
          { hostname, port, agent, method, path, headers: { ...headers, ...length } },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: toHeaders(response.headers),
                text: Buffer.concat(chunks).toString('utf8'),
              }),
            )
          },
        )
        sent.on('error', reject)
        sent.end(body ?? undefined)
      }),
    close: () => agent.destroy(),
  }
}

function toHeaders(headers: IncomingHttpHeaders): Headers {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Headers(pairs)
}

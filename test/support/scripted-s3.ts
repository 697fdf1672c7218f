import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { bucketOf } from './s3-server.ts'

export interface ScriptedRequest {
  readonly method: string
  /** The path with its query. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server whose answers the test decides. It ends with the test. */
export async function scriptedS3(
  answer: (request: ScriptedRequest, response: ServerResponse) => void,
): Promise<{ readonly target: ReturnType<typeof bucketOf>; readonly requests: ScriptedRequest[] }> {
  const requests: ScriptedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: await text(incoming) }
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { requests, target: bucketOf(`s3://quoin/at?endpoint=http://127.0.0.1:${port}`) }
}

export function xml(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' })
  response.end(`<?xml version="1.0" encoding="UTF-8"?>${body}`)
}

export const s3Error = (code: string, more = '') =>
  `<Error><Code>${code}</Code><Message>Because.</Message>${more}</Error>`

import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RawRequest {
  readonly method?: string
  /** May contain `Host`. Several values become several header lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  /** The only trusted certificate, as PEM. Without one, any is trusted. */
  readonly ca?: string
}

/** Sends a request without normalizing `Host` and path, which `fetch` does. */
export async function sendRaw(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body, ca }: RawRequest = {},
): Promise<RawAnswer> {
  const { protocol, hostname, port } = new URL(base)
  const host = hostname.replace(/^\[|\]$/g, '')
  const options = { host, port, path, method, headers: headers as Record<string, string>, agent: false }
  const client =
    protocol === 'https:'
      ? httpsRequest({ ...options, ...(ca === undefined ? { rejectUnauthorized: false } : { ca }) })
      : httpRequest(options)
  client.end(body)
  const [response] = (await once(client, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: String(await buffer(response)) }
}

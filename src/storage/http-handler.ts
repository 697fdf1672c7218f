import type { IncomingHttpHeaders } from 'node:http'
import type { HttpRequest, HttpResponse, RequestHandler } from '@smithy/types'
import { Agent, type Dispatcher } from 'undici'

export interface HttpLimits {
  /** Most connections to one server. */
  readonly sockets: number
  readonly connectMs: number
  /** A connection without traffic is closed after this time. */
  readonly idleMs: number
}

/**
 * Sends the requests of the SDK's clients. Follows no redirects and does not retry.
 *
 * @param signalOf returns the signal that aborts a request, if any.
 */
export function createHttpHandler(
  { sockets, connectMs, idleMs }: HttpLimits,
  signalOf: (request: HttpRequest) => AbortSignal | undefined,
): RequestHandler<HttpRequest, HttpResponse> {
  const agent = new Agent({
    connections: sockets,
    connect: { timeout: connectMs },
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
  })
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request) {
      const { statusCode, headers, body } = await agent.request({
        origin: `${request.protocol}//${request.hostname}${request.port === undefined ? '' : `:${request.port}`}`,
        path: pathOf(request),
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body,
        signal: signalOf(request) ?? null,
      })
      return { response: { statusCode, headers: flat(headers), body } }
    },
    destroy: () => void agent.destroy(),
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

function pathOf({ path, query }: HttpRequest): string {
  const fields = Object.entries(query ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => `${escaped(name)}=${escaped(one ?? '')}`),
  )
  return fields.length === 0 ? path : `${path}?${fields.join('&')}`
}

/** Escapes as AWS signatures do, which escape more characters than `encodeURIComponent`. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

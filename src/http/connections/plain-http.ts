import type { IncomingMessage, RequestListener } from 'node:http'
import { hostName } from '../../domain/site-host.ts'
import { requestTarget } from '../public/request-target.ts'

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,255})$/

export interface PlainHttpPorts {
  /** The answer to a challenge of a certificate authority; null for an unknown token. */
  readonly challengeAnswer: (token: string) => Promise<string | null>
  /** Handles what is not redirected. */
  readonly handle: RequestListener
  /** Port at which clients reach the service over HTTPS. */
  readonly httpsPort: number
}

/**
 * Answers plain HTTP next to HTTPS: challenges of a certificate authority, and redirects for readers. What may hold a
 * key is handled as over HTTPS, and refused there: a redirect would hide that the key was sent in the clear.
 */
export function createPlainHttp({ challengeAnswer, handle, httpsPort }: PlainHttpPorts): RequestListener {
  return async (request, response) => {
    const { path } = requestTarget(request)
    const [, token] = CHALLENGE.exec(path) ?? []
    const location = httpsLocation(request, httpsPort)
    if (token !== undefined && isRead(request)) {
      const answer = await challengeAnswer(token).catch(() => undefined)
      const status = answer === undefined ? 503 : answer === null ? 404 : 200
      response
        .writeHead(status, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' })
        .end(answer ?? 'No certificate is being ordered with this token.\n')
    } else if (location === null) handle(request, response)
    else response.writeHead(308, { Location: location, 'Content-Length': '0' }).end()
  }
}

/**
 * Returns null for requests that are not redirected: writes, and those to an address, with a key, or for a proof of a
 * domain.
 */
function httpsLocation(request: IncomingMessage, port: number): string | null {
  const { host, path } = requestTarget(request)
  const name = hostName(host)
  if (name === null || !name.includes('.') || !isRead(request) || path.startsWith('/.well-known/'))
    return null
  if (request.headers.authorization !== undefined) return null
  const url = request.url ?? '/'
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  return `https://${name}${port === 443 ? '' : `:${port}`}${target.startsWith('/') ? target : `/${target}`}`
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

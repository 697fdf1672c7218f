import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DevSession } from './dev-session.ts'
import { TOOLS } from './document.ts'
import type { Routes } from './routes.ts'
import type { SiteAnswer } from './site-answer.ts'

/** Nobody but this machine is to reach what is not published yet. */
const LOOPBACK = '127.0.0.1'

/** What a browser may call this machine. A name that only leads here could be anybody's. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

export interface DevServerPorts {
  readonly session: DevSession
  readonly routes: Routes
  readonly onBug: (error: unknown) => void
}

/** @throws what the system raised, e.g. `EADDRINUSE`. */
export async function listenOnLoopback(port: number): Promise<{ server: Server; origin: string }> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, resolve)
  })
  return { server, origin: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}` }
}

/** Answers what browsers on this machine ask. */
export function createDevHandler({ session, routes, onBug }: DevServerPorts) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    session.asked()
    answer(request, response).catch((error: unknown) => {
      onBug(error)
      if (response.headersSent) response.destroy()
      else sendText(response, 500, 'Something broke. The terminal says what.')
    })
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    if (!OWN_HOST.test(request.headers.host ?? ''))
      return sendText(response, 403, 'This is served to this machine only, as localhost or 127.0.0.1.')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendText(response, 405, 'Only GET and HEAD are answered.', { Allow: 'GET, HEAD' })
    const [target = '', query = ''] = (request.url ?? '').split(/\?(.*)/s)
    const path = decoded(target)
    if (path === null) return sendText(response, 400, 'The address is not well-formed.')
    if (path === `${TOOLS}events`) return sendEvents(request, response)

    const answer = await routes.answer(path, new URLSearchParams(query))
    if (answer === null) return sendText(response, 404, 'There is nothing here.')
    const asked = query === '' ? '' : `?${query}`
    if (answer.kind === 'folder') return redirect(response, `${target}/${asked}`)
    if (answer.kind === 'moved') return redirect(response, `${answer.href}${asked}`)
    send(request, response, answer)
  }

  function sendEvents(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    if (request.method === 'HEAD') return void response.end()
    // A browser that lost its server tries again after this many milliseconds.
    response.write('retry: 500\ndata: 0\n\n')
    const end = session.listen((beat) => response.write(`data: ${beat}\n\n`))
    response.on('close', end)
  }
}

type FileOrDocument = Exclude<SiteAnswer, { readonly kind: 'folder' | 'moved' }>

function send(request: IncomingMessage, response: ServerResponse, answer: FileOrDocument): void {
  if (answer.kind === 'document') {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
    end(request, response, answer.status, headers, Buffer.from(answer.document.html))
    return
  }
  const { contentType, body, isForGood, tag } = answer
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': isForGood ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(tag !== null && { ETag: tag }),
  }
  if (tag !== null && request.headers['if-none-match'] === tag) {
    response.writeHead(304, headers).end()
    return
  }
  end(request, response, 200, headers, body)
}

function end(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': body.byteLength })
  response.end(method === 'HEAD' ? undefined : body)
}

/** Not for good: the next site at this address may have another page there. */
function redirect(response: ServerResponse, to: string): void {
  // Two slashes would begin the name of another host.
  response.writeHead(302, { Location: to.replace(/^\/+/, '/'), 'Cache-Control': 'no-store' }).end()
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  })
  response.end(`${text}\n`)
}

/** Null for what is no path, or no text. */
function decoded(target: string): string | null {
  if (!target.startsWith('/')) return null
  try {
    return decodeURIComponent(target)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

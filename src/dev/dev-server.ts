import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { readRange } from '../domain/byte-range.ts'
import { openFile } from '../platform/file-body.ts'
import { TOOLS } from './dev-document.ts'
import type { DevRoutes } from './dev-routes.ts'
import type { DevSession } from './dev-session.ts'
import type { SiteResponse } from './site-responses.ts'

/** Only this machine may reach content that is not published yet. */
const LOOPBACK = '127.0.0.1'

/** Allowed `Host` headers. Others would open the server to DNS rebinding. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

export interface DevServerPorts {
  readonly session: DevSession
  readonly routes: DevRoutes
  readonly onBug: (error: unknown) => void
}

/** @throws the system's error, e.g. `EADDRINUSE`. */
export async function listenOnLoopback(port: number): Promise<{ server: Server; origin: string }> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, resolve)
  })
  return { server, origin: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}` }
}

/** The request handler of the dev server. */
export function createDevHandler({ session, routes, onBug }: DevServerPorts) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    session.noteRequest()
    handle(request, response).catch((error: unknown) => {
      onBug(error)
      if (response.headersSent) response.destroy()
      else sendText(response, 500, 'Internal error. See the terminal for details.')
    })
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    if (!OWN_HOST.test(request.headers.host ?? ''))
      return sendText(response, 403, 'The dev server responds only to localhost and 127.0.0.1.')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendText(response, 405, 'Only GET and HEAD are allowed.', { Allow: 'GET, HEAD' })
    const [target = '', query = ''] = (request.url ?? '').split(/\?(.*)/s)
    const path = decoded(target)
    if (path === null) return sendText(response, 400, 'The URL is malformed.')
    if (path === `${TOOLS}events`) return sendEvents(request, response)

    const found = await routes.respond(path, new URLSearchParams(query))
    if (found === null) return sendText(response, 404, 'Not found.')
    const suffix = query === '' ? '' : `?${query}`
    if (found.kind === 'folder') return redirect(response, `${target}/${suffix}`)
    if (found.kind === 'moved')
      return redirect(
        response,
        found.href.replace(/(?=#|$)/, () => suffix),
      )
    await send(request, response, found)
  }

  function sendEvents(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    if (request.method === 'HEAD') return void response.end()
    // Reconnection delay of the browser in ms.
    response.write('retry: 500\ndata: 0\n\n')
    const unlisten = session.listen((event) => response.write(`data: ${event}\n\n`))
    response.on('close', unlisten)
  }
}

type FileOrDocument = Exclude<SiteResponse, { readonly kind: 'folder' | 'moved' }>
type Asset = Extract<SiteResponse, { readonly kind: 'asset' }>

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  found: FileOrDocument,
): Promise<void> {
  if (found.kind === 'asset') return sendAsset(request, response, found)
  if (found.kind === 'document') {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
    end(request, response, found.status, headers, Buffer.from(found.document.html))
    return
  }
  const { contentType, body, isImmutable } = found
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  end(request, response, 200, headers, body)
}

/** Sends a file, or the range of it that a player asks for, a part at a time. */
async function sendAsset(
  { method, headers: asked }: IncomingMessage,
  response: ServerResponse,
  { contentType, contentEncoding, location, size, etag }: Asset,
): Promise<void> {
  const headers = { 'Cache-Control': 'no-cache', ETag: etag, 'Accept-Ranges': 'bytes' }
  if (asked['if-none-match'] === etag) return void response.writeHead(304, headers).end()
  const isSameVersion = asked['if-range'] === undefined || asked['if-range'] === etag
  const range = isSameVersion ? readRange(asked.range ?? '', size) : null
  if (range === 'unsatisfiable')
    return void response.writeHead(416, { ...headers, 'Content-Range': `bytes */${size}` }).end()
  const { start, end } = range ?? { start: 0, end: size - 1 }
  response.writeHead(range === null ? 200 : 206, {
    ...headers,
    'Content-Type': contentType,
    ...(contentEncoding !== undefined && { 'Content-Encoding': contentEncoding }),
    'Content-Length': end - start + 1,
    ...(range !== null && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  })
  if (method === 'HEAD' || size === 0) return void response.end()
  const file = openFile(location, { start, end })
  // A reader that goes away ends the response early.
  await pipeline(file, response, { end: false }).catch(() => response.destroy())
  // Otherwise a browser would wait for the rest of a file that has become shorter since.
  if (file.bytesRead === end - start + 1) response.end()
  else response.destroy()
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

/** A temporary redirect: the next site on this port may have a page at the same path. */
function redirect(response: ServerResponse, to: string): void {
  // Two leading slashes would be a URL of another host.
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

/** Decodes the escapes of a target. Returns null if it is not a path, or its escapes are not UTF-8. */
function decoded(target: string): string | null {
  if (!target.startsWith('/')) return null
  try {
    return decodeURIComponent(target)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

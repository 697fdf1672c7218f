import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import Koa from 'koa'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import type { ProjectId } from '../../src/domain/ids.ts'
import { storageKey } from '../../src/domain/storage-key.ts'
import { answerErrors } from '../../src/http/middleware/errors.ts'
import { createCompression } from '../../src/http/public/compression.ts'
import { servePublic } from '../../src/http/public/site.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { createMemoryStorage } from './memory-storage.ts'

export const projectId = 'abcdefgh23456789' as ProjectId
export const MOUNT = `/public/proj_${projectId}`

export interface SiteOptions {
  readonly storage?: Storage
  /** The objects, by key in the project. */
  readonly site: Readonly<Record<string, string | Uint8Array>>
  readonly sandboxed?: boolean
  readonly isAvailable?: boolean
  /** Called with the number of a request when the server notices that its client has disconnected. */
  readonly onGone?: (visitor: number) => void
}

export interface VisitOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly leaveAtOnce?: boolean
  readonly leaveAfterFirstChunk?: boolean
}

export interface VisitAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body as it was sent, not decompressed. */
  readonly bytes: Buffer
  readonly body: string
}

/** Serves a site on loopback under `/public/{project}`. @returns a client for its paths, and its address. */
export async function startSite({
  storage = createMemoryStorage(),
  site,
  sandboxed = true,
  isAvailable = true,
  onGone = () => {},
}: SiteOptions) {
  for (const [key, body] of Object.entries(site)) {
    await storage.put({ key: storageKey(projectId, key), body: Buffer.from(body) })
  }
  const app = new Koa()
  // Koa logs disconnected clients as errors. Here they are expected.
  app.silent = true
  let requests = 0
  const compression = createCompression()
  app.use(answerErrors({ log: pino({ level: 'silent' }), baseUrl: 'https://api.example.com' }))
  app.use((ctx) => {
    requests += 1
    const visitor = requests
    ctx.req.socket.once('close', () => onGone(visitor))
    const sitePath = ctx.path.slice(MOUNT.length)
    const redirectAt = async () => null
    const firstObject = async () => null
    const log = { error: () => {} }
    const visits = { read() {}, searched() {} }
    return servePublic(ctx, {
      storage,
      redirectAt,
      firstObject,
      projectId,
      sitePath,
      sandboxed,
      isAvailable,
      log,
      compression,
      answerAgent: async () => false,
      visits,
    })
  })
  const server = createServer(app.callback())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = (path: string, options: VisitOptions = {}) => visit(port, MOUNT + path, options)
  return Object.assign(ask, { site: `http://127.0.0.1:${port}${MOUNT}` })
}

/** Sends the path without normalizing it, which `fetch` does. */
async function visit(port: number, path: string, options: VisitOptions): Promise<VisitAnswer> {
  const { method = 'GET', headers = {} } = options
  const client = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
  client.end()
  const gone = { status: 0, headers: {}, bytes: Buffer.alloc(0), body: '' }
  if (options.leaveAtOnce) {
    await once(client, 'finish')
    client.on('error', () => {}).destroy()
    return gone
  }
  const [response]: IncomingMessage[] = await once(client, 'response')
  if (response === undefined) return gone
  if (options.leaveAfterFirstChunk) {
    await once(response, 'readable')
    client.destroy()
    return gone
  }
  const bytes = await buffer(response)
  return { status: response.statusCode ?? 0, headers: response.headers, bytes, body: String(bytes) }
}

import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Config, ConfigError } from '../app/config.ts'
import type { Adapters, Quoin } from '../app/service.ts'
import { messageOf } from '../domain/errors.ts'
import { answerUnparsed } from '../http/malformed-requests.ts'
import { loadOrCreateCertificate } from './self-signed.ts'

/** Requests that run are given this long to finish after the service was told to stop. */
const DRAIN_MS = 20_000
/**
 * A connection on which nothing is asked is closed after so long. Proxies and clients keep theirs for a minute at the
 * most, as a rule: whoever keeps it longer than the server sends a request into a connection that is just being closed.
 */
const KEEP_ALIVE_MS = 72_000

export interface RunningServer {
  readonly quoin: Quoin
  /** Where the API is reached, without a slash at its end. */
  readonly baseUrl: string
  /** Stop accepting, finish what runs, close the database. */
  stop(): Promise<void>
}

/**
 * Listen first, then wire: a taken port is found before anything is made.
 *
 * @throws {ConfigError} with one clear line when it cannot start; nothing is left open.
 */
export async function startServer(config: Config, adapters: Adapters = {}): Promise<RunningServer> {
  const { openQuoin } = await import('../app/service.ts')
  const server = createListener(config)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  let quoin: Quoin | null = null
  let ready: () => void = () => {}
  const isReady = new Promise<void>((resolve) => (ready = resolve))
  const onRequest: RequestListener = async (request, response) => {
    await isReady
    if (stopping) response.setHeader('Connection', 'close')
    await quoin?.handle(request, response)
  }
  let stopping = false
  server.on('request', onRequest)
  answerUnparsed(server)

  await listen(server, config)
  const baseUrl = config.baseUrl ?? addressOf(server, config)
  try {
    if (config.tls === 'self-signed' && server instanceof TlsServer)
      await setCertificate(server, config, baseUrl)
    quoin = await openQuoin(config, baseUrl, adapters)
  } catch (error) {
    server.close()
    throw error
  }
  ready()

  const running = quoin
  return {
    quoin,
    baseUrl,
    async stop() {
      stopping = true
      await Promise.all([drain(server), running.rest()])
      await running.close()
    },
  }
}

function createListener({ tls }: Config): Server | TlsServer {
  if (tls === null) return createServer()
  // Its certificate is made once the port is ours.
  if (tls === 'self-signed') return createTlsServer()
  try {
    return createTlsServer(tls)
  } catch (error) {
    throw new ConfigError(`QUOIN_TLS_CERT, QUOIN_TLS_KEY: ${messageOf(error)}`)
  }
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ConfigError(listenErrorMessage(error, host, port))),
    )
    server.listen(port, host, resolve)
  })
}

async function setCertificate(server: TlsServer, { data }: Config, baseUrl: string): Promise<void> {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  try {
    const pem = await loadOrCreateCertificate({ data, host, now: Date.now() })
    server.setSecureContext({ key: pem, cert: pem })
  } catch (error) {
    throw new ConfigError(`QUOIN_TLS: no certificate could be made or read: ${messageOf(error)}`)
  }
}

function listenErrorMessage({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `QUOIN_PORT: port ${port} on ${host} is taken; choose another, or 0 for any free one.`
  if (code === 'EACCES') return `QUOIN_PORT: port ${port} needs more rights than this user has.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `QUOIN_HOST: ${host} is no address of this machine.`
  return `QUOIN_HOST, QUOIN_PORT: ${message}`
}

function addressOf(server: Server, { host, tls }: Config): string {
  const { port } = server.address() as AddressInfo
  const everywhere = host === '0.0.0.0' || host === '::'
  const shown = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${tls === null ? 'http' : 'https'}://${shown}:${port}`
}

/** Idle connections are cut at once, busy ones when they are done or the time is up. */
async function drain(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(late)
}

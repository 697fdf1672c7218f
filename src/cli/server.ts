import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TlsOptions } from 'node:tls'
import {
  acmeOf,
  type CertificatePair,
  type Config,
  ConfigError,
  certificateFilesOf,
  localUrl,
  readCertificate,
} from '../app/config.ts'
import type { Service, ServiceOverrides } from '../app/service.ts'
import { messageOf } from '../domain/errors.ts'
import { type GuardOptions, guardConnections } from '../http/connections/guard-connections.ts'
import { createPlainHttp } from '../http/connections/plain-http.ts'
import { createServerNames } from '../http/connections/server-names.ts'
import { answerMalformedRequests, requireHost } from '../http/malformed-requests.ts'
import { type CertificateRenewal, serveCertificate } from './renewed-certificate.ts'
import { loadOrCreateCertificate } from './self-signed.ts'

/** Time for running requests to finish after the server is stopped. */
const DRAIN_MS = 20_000
/**
 * Idle connections are closed after this time. Proxies and clients usually keep theirs for at most a minute. If the
 * server closed first, a client could send a request into a closing connection.
 */
const KEEP_ALIVE_MS = 72_000

/** Most time for the headers of a request, or for its first byte on a new connection. */
const MAX_HEADERS_MS = 60_000
/** A missing host is answered as a malformed one is. */
const LISTENER = { connectionsCheckingInterval: 5_000, requireHostHeader: false }
const TLS_LISTENER = { ...LISTENER, handshakeTimeout: 20_000 }

export interface RunningServer {
  readonly service: Service
  /** The address of the API, without a trailing slash. */
  readonly baseUrl: string
  /** The address at which this process listens, without a trailing slash. */
  readonly address: string
  /** Uses a renewed certificate at once, which the server otherwise does within a minute. Does not reject. */
  checkCertificate(): Promise<void>
  /** Stops accepting connections, finishes running work and closes the database. */
  stop(): Promise<void>
}

/**
 * Starts the server. It listens before it creates anything, so that a taken port leaves nothing behind.
 *
 * @throws {ConfigError} with one line when the server cannot start. Nothing stays open.
 */
export async function startServer(config: Config, overrides: ServiceOverrides = {}): Promise<RunningServer> {
  const { openService } = await import('../app/service.ts')
  let service: Service | null = null
  let ready: () => void = () => {}
  const isReady = new Promise<void>((resolve) => (ready = resolve))
  const onRequest: RequestListener = async (request, response) => {
    await isReady
    if (stopping) response.setHeader('Connection', 'close')
    await service?.handle(request, response)
  }
  let stopping = false
  const names = createServerNames({
    async find(host) {
      await isReady
      return service?.certificates?.find(host) ?? null
    },
    onError: (error, host) => service?.onCertificateError(error, host),
  })
  const server = createListener(config, names.choose)
  const onClosed: GuardOptions['onClosed'] = (why) => service?.onConnectionClosed(why)
  const guarded = { ...config, onClosed }
  guard(server, onRequest, guarded)
  const acme = acmeOf(config)
  const plain = createServer(LISTENER)
  const listeners = acme === null ? [server] : [server, plain]
  let renewal: CertificateRenewal | null = null

  try {
    await listen(server, config)
    if (acme !== null) {
      const onPlainRequest = createPlainHttp({
        async challengeAnswer(token) {
          await isReady
          return service?.certificates?.challengeAnswer(token) ?? null
        },
        handle: onRequest,
        httpsPort: Number(new URL(config.baseUrl ?? '').port || 443),
      })
      guard(plain, onPlainRequest, guarded)
      await listen(plain, { host: config.host, port: acme.httpPort }, 'QUOIN_HTTP_PORT')
    }
    const baseUrl = config.baseUrl ?? addressOf(server, config)
    if (server instanceof TlsServer)
      renewal = await serveOwnCertificate(server, config, baseUrl, () => service)
    service = await openService(config, baseUrl, overrides)
  } catch (error) {
    await renewal?.stop()
    for (const listener of listeners) {
      listener.close()
      // A client that has connected already would keep the process alive.
      listener.closeAllConnections()
    }
    throw error
  }
  const address = addressOf(server, config)
  const baseUrl = config.baseUrl ?? address
  ready()

  const running = service
  return {
    service: running,
    baseUrl,
    address,
    checkCertificate: async () => renewal?.check(),
    async stop() {
      stopping = true
      await Promise.all([...listeners.map(drain), running.stopJobs(), renewal?.stop()])
      await running.close()
    },
  }
}

/** Bounds the cost of connections, and answers requests that Node does not pass on. */
function guard(server: Server, onRequest: RequestListener, options: Omit<GuardOptions, 'isTls'>): void {
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.headersTimeout = Math.min(options.stallMs, MAX_HEADERS_MS)
  const isTls = server instanceof TlsServer
  server.on('request', guardConnections(server, requireHost(onRequest), { ...options, isTls }))
  answerMalformedRequests(server)
}

function createListener(config: Config, SNICallback: TlsOptions['SNICallback']): Server | TlsServer {
  const { tls } = config
  if (tls === null) return createServer(LISTENER)
  // Its own certificate is read or created after the port is bound.
  return createTlsServer(acmeOf(config) === null ? TLS_LISTENER : { ...TLS_LISTENER, SNICallback })
}

/** Serves the certificate of the settings; null where certificates are ordered. @throws {ConfigError} */
async function serveOwnCertificate(
  server: TlsServer,
  config: Config,
  baseUrl: string,
  service: () => Service | null,
): Promise<CertificateRenewal | null> {
  const files = certificateFilesOf(config)
  if (files === null && config.tls !== 'self-signed') return null
  try {
    return await serveCertificate(server, {
      load: async () => (files === null ? selfSigned(config, baseUrl) : readCertificate(files)),
      onRenewed: () => service()?.onCertificateRenewed(),
      onError: (error) => service()?.onRenewalError(error),
    })
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(
      files === null
        ? `QUOIN_TLS: the certificate could not be created or read: ${messageOf(error)}`
        : `QUOIN_TLS_CERT, QUOIN_TLS_KEY: ${messageOf(error)}`,
    )
  }
}

async function selfSigned({ data }: Config, baseUrl: string): Promise<CertificatePair> {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  const pem = Buffer.from(await loadOrCreateCertificate({ data, host, now: Date.now() }))
  return { cert: pem, key: pem }
}

function listen(
  server: Server,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting = 'QUOIN_PORT',
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ConfigError(listenErrorMessage(error, host, port, setting))),
    )
    server.listen(port, host, resolve)
  })
}

function listenErrorMessage(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  setting: string,
): string {
  if (code === 'EADDRINUSE')
    return `${setting}: port ${port} on ${host} is taken. Choose another one, or 0 for any free port.`
  if (code === 'EACCES')
    return `${setting}: this user may not listen on port ${port}. Choose one from 1024, or let a proxy listen there.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `QUOIN_HOST: ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`
  return `QUOIN_HOST, ${setting}: ${message}`
}

function addressOf(server: Server, config: Config): string {
  const { port } = server.address() as AddressInfo
  return localUrl({ ...config, port })
}

/** Closes idle connections immediately, and busy ones when they finish or after the time limit. */
async function drain(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(late)
}

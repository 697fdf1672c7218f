import type { RequestListener, Server } from 'node:http'
import { performance } from 'node:perf_hooks'
import { ServiceError, UnavailableError } from '../../domain/errors.ts'
import { isInRanges, parseIpRanges } from '../../platform/ip-ranges.ts'
import { networkOf } from '../client-address.ts'
import { errorAnswer } from '../malformed-requests.ts'
import { limitConnections } from './limit-connections.ts'
import { oneAtATime } from './pipelining.ts'
import { createStallWatch, type Stalled } from './stall-watch.ts'

/** Checks for stalled connections within one stall timeout. */
const CHECKS = 6
/** Seconds after which a refused client may connect again. */
const RETRY_SECONDS = 5

/** Why the service closed a connection. */
export type ClosedFor = 'all' | 'address' | 'pipelining' | Stalled['what']

export interface GuardOptions {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly stallMs: number
  /** Proxies, which connect for many clients. */
  readonly trustProxy: readonly string[]
  /** True if clients speak TLS, so that a connection cannot be answered before its handshake. */
  readonly isTls: boolean
  readonly onClosed: (why: ClosedFor) => void
}

/**
 * Bounds what connections cost: their number, how long they may stall, and how many requests of one are handled at
 * once. Call it before the server listens.
 *
 * @returns the listener to use in place of the given one.
 */
export function guardConnections(
  server: Server,
  listener: RequestListener,
  { maxConnections, maxConnectionsPerAddress, stallMs, trustProxy, isTls, onClosed }: GuardOptions,
): RequestListener {
  const proxies = parseIpRanges(trustProxy)
  limitConnections(server, {
    all: maxConnections,
    perAddress: maxConnectionsPerAddress,
    addressOf: ({ remoteAddress = '' }) =>
      isInRanges(remoteAddress, proxies) ? null : networkOf(remoteAddress),
    answer: () =>
      isTls ? null : errorAnswer(tooManyConnections(), { 'Retry-After': String(RETRY_SECONDS) }),
    onRefused: onClosed,
  })

  const stalls = createStallWatch({ stallMs })
  let checked = performance.now()
  const checking = setInterval(() => {
    const now = performance.now()
    for (const stalled of stalls.check(now - checked)) {
      onClosed(stalled.what)
      closeStalled(server, stalled)
    }
    checked = now
  }, stallMs / CHECKS).unref()
  server.once('close', () => clearInterval(checking))

  return oneAtATime(
    (request, response) => {
      stalls.watch(request, response)
      listener(request, response)
    },
    () => onClosed('pipelining'),
  )
}

/** Closes a stalled connection. A client that sends no body gets the answer for a slow request. */
function closeStalled(server: Server, { socket, what }: Stalled): void {
  if (what === 'answer') socket.destroy()
  else {
    const error = Object.assign(new ServiceError('invalid_request', 'The body stalled.'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    })
    server.emit('clientError', error, socket)
    socket.destroySoon()
  }
}

function tooManyConnections(): UnavailableError {
  return new UnavailableError(
    'The service has too many connections. Close some, or try again later.',
    RETRY_SECONDS,
  )
}

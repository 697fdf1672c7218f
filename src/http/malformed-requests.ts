import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { nanoid } from 'nanoid'
import { ServiceError } from '../domain/errors.ts'
import { errorBody } from './middleware/errors.ts'
import { SERVICE_VERSION } from './middleware/service-version.ts'
import { hasWellFormedHost } from './well-formed-host.ts'

/**
 * Answers requests that Node does not pass on (malformed HTTP, oversized headers, timeouts, unknown expectations) with
 * the usual error body and headers, except rate limits, since the request was not counted. Closes the connection.
 */
export function answerMalformedRequests(server: Server): void {
  // WeakRef: otherwise each idle connection retains its last request and answer, 6 KB. One in progress is in use.
  const answering = new WeakMap<Duplex, WeakRef<ServerResponse>>()
  server.on('request', ({ socket }, response) => answering.set(socket, new WeakRef(response)))

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const begun = answering.get(socket)?.deref()
    // The client would read a second answer as part of the first.
    const isMidAnswer = begun?.headersSent === true && !begun.writableFinished
    if (error.code === 'ECONNRESET' || !socket.writable || isMidAnswer) socket.destroy()
    else socket.end(errorAnswer(errorOf(error)))
  })

  server.on('checkExpectation', (_, response) => {
    const { body, headers, status } = parts(
      new ServiceError('invalid_request', 'Expect: only 100-continue is supported.'),
    )
    response.writeHead(status, headers).end(body)
  })
}

/**
 * Answers 400 to a request without a host, with an invalid one, or with two, and closes its connection. A proxy in
 * front may have read another host than the service would, and store the answer for it. RFC 9112, section 3.2, fixes
 * the status.
 */
export function requireHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasWellFormedHost(request)) return listener(request, response)
    const fault = new ServiceError('invalid_request', 'The request must have one valid Host header.')
    const { body, headers } = parts(fault, 400)
    response.writeHead(400, headers).end(body)
  }
}

function errorOf({ code }: NodeJS.ErrnoException): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('payload_too_large', 'The URL and headers of the request are too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('invalid_request', 'The request took too long to arrive.')
  return new ServiceError('invalid_request', 'The request is not well-formed HTTP.')
}

/** The whole answer to a request that never reaches the application, as text. */
export function errorAnswer(fault: ServiceError, more: Readonly<Record<string, string>> = {}): string {
  const { status, headers, body } = parts(fault)
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${fault.name}`, ...lines, '', body].join('\r\n')
}

function parts(fault: ServiceError, statusCode = errorBody(fault).statusCode) {
  const answer = { ...errorBody(fault), statusCode }
  const body = JSON.stringify(answer)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': nanoid(),
    'service-version': SERVICE_VERSION,
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  }
  return { status: answer.statusCode, headers, body }
}

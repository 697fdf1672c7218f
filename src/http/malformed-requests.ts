import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { nanoid } from 'nanoid'
import { ServiceError } from '../domain/errors.ts'
import { errorBody } from './middleware/errors.ts'
import { SERVICE_VERSION } from './middleware/service-version.ts'

/**
 * Answers what never becomes a request (broken HTTP, too large a head, one that takes too long, an
 * expectation nobody knows) with the same body and headers as every other error, but for the limits:
 * nothing was counted, and nothing is known of who asks. The connection ends with it.
 */
export function answerUnparsed(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => answering.set(socket, response))

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const begun = answering.get(socket)
    // Anything written into an answer under way would be read as part of it.
    const isMidAnswer = begun?.headersSent === true && !begun.writableFinished
    if (error.code === 'ECONNRESET' || !socket.writable || isMidAnswer) socket.destroy()
    else socket.end(wholeAnswer(faultOf(error)))
  })

  server.on('checkExpectation', (_, response) => {
    const { body, headers, status } = parts(
      new ServiceError('invalid_request', 'Expect: only 100-continue is understood.'),
    )
    response.writeHead(status, headers).end(body)
  })
}

function faultOf({ code }: NodeJS.ErrnoException): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError(
      'payload_too_large',
      'The head of the request, its address and headers, is too large.',
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('invalid_request', 'The request took too long to arrive.')
  return new ServiceError('invalid_request', 'This is not a well-formed HTTP request.')
}

function wholeAnswer(fault: ServiceError): string {
  const { status, headers, body } = parts(fault)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${fault.name}`, ...lines, '', body].join('\r\n')
}

function parts(fault: ServiceError) {
  const answer = errorBody(fault)
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

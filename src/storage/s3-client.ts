import { createHash } from 'node:crypto'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { createHttpHandler } from './http-handler.ts'
import type { BucketTarget } from './storage-url.ts'

/** Writes are bounded to 32 by the patient storage; the rest is for visitors. */
const SOCKETS = 128
const CONNECT_MS = 2_000
/** A connection on which nothing moves for so long is given up. */
const IDLE_MS = 60_000

/** In an input: what calls the request off. The SDK copies it along with the fields it knows. */
const SIGNAL = Symbol('signal')

interface Callable {
  [SIGNAL]?: AbortSignal
}

/** The input of a command that ends with the reason of the signal once that is aborted. */
export function withAbortSignal<Input extends object>(signal: AbortSignal | undefined, input: Input): Input {
  return signal === undefined ? input : { ...input, [SIGNAL]: signal }
}

/**
 * A client that tries each request once: repeating is the patient storage's. Credentials by the SDK's own
 * chain. Requests are called off by their input alone (`withAbortSignal`), never by options.
 */
export function createS3Client({ region, endpoint, forcePathStyle, checksums }: BucketTarget): S3Client {
  // Node 20 is supported as long as we say so; the SDK would print a warning at the start.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const config: S3ClientConfig = {
    ...(region !== null && { region }),
    ...(endpoint !== null && { endpoint }),
    forcePathStyle,
    maxAttempts: 1,
    // A quarter of what a put costs is to order the steps of the SDK, which are the same for each.
    cacheMiddleware: true,
    requestChecksumCalculation: checksums === 'when_required' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED',
    responseChecksumValidation: checksums === 'when_required' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED',
    // Waiting for leave to send costs a large body a round trip, and is seldom refused.
    expectContinueHeader: false,
    requestHandler: createHttpHandler(
      { sockets: SOCKETS, connectMs: CONNECT_MS, idleMs: IDLE_MS },
      (request) => (request as Callable)[SIGNAL],
    ),
  }
  const client = new S3Client(config)
  callOffByInput(client)
  if (checksums === 'when_required') sendMd5ForDeletes(client)
  return client
}

/** Steps are kept only for calls without options, where the SDK would look for the signal. */
function callOffByInput({ middlewareStack }: S3Client): void {
  middlewareStack.add(
    (next) => (args) => {
      const { [SIGNAL]: signal } = args.input as Callable
      if (signal !== undefined) Object.assign(args.request as Callable, { [SIGNAL]: signal })
      return next(args)
    },
    { step: 'deserialize', priority: 'low', name: 'callOffByInput' },
  )
}

/**
 * A batch delete must carry a checksum. The SDK sends CRC32, which older servers do not know; all
 * know Content-MD5.
 */
function sendMd5ForDeletes(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const request = args.request as { body?: unknown; headers?: Record<string, string> }
        if (commandName === 'DeleteObjectsCommand' && request.headers !== undefined) {
          for (const name of Object.keys(request.headers)) {
            if (/^x-amz-(sdk-)?checksum-/i.test(name)) delete request.headers[name]
          }
          request.headers['content-md5'] = createHash('md5').update(String(request.body)).digest('base64')
        }
        return next(args)
      },
    { step: 'build', priority: 'low', name: 'sendMd5ForDeletes' },
  )
}

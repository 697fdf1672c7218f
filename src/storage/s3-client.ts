import { createHash } from 'node:crypto'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { createHttpHandler } from './http-handler.ts'
import type { BucketTarget } from './storage-url.ts'

/** The retrying storage limits concurrent writes to 32. The rest is for visitors. */
const SOCKETS = 128
const CONNECT_MS = 2_000
/** A connection without traffic is closed after this time. */
const IDLE_MS = 60_000

/** Key of the abort signal in the input of a command. The SDK copies it with the fields it knows. */
const SIGNAL = Symbol('signal')

/** Key of the digest of a streamed body in the input of a command. */
const DIGEST = Symbol('digest')

interface Abortable {
  [SIGNAL]?: AbortSignal
}

interface Digested {
  [DIGEST]?: string
}

/** Adds a signal to the input of a command. The command rejects with its reason when it is aborted. */
export function withAbortSignal<Input extends object>(signal: AbortSignal | undefined, input: Input): Input {
  return signal === undefined ? input : { ...input, [SIGNAL]: signal }
}

/**
 * Adds the digest of a streamed body to the input of a command. It is signed with the request: without it the SDK
 * sends the body unsigned, which many servers refuse.
 *
 * @param digest SHA-256, hex.
 */
export function withPayloadDigest<Input extends object>(digest: string, input: Input): Input {
  return { ...input, [DIGEST]: digest }
}

/**
 * Creates a client that does not retry; the retrying storage does. Credentials come from the SDK's own chain.
 * Pass signals with `withAbortSignal`, never as options: the SDK caches its middleware only for calls without
 * options.
 */
export function createS3Client({ region, endpoint, forcePathStyle, checksums }: BucketTarget): S3Client {
  // Otherwise the SDK prints a warning about Node 20, which Quoin supports.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const config: S3ClientConfig = {
    ...(region !== null && { region }),
    ...(endpoint !== null && { endpoint }),
    forcePathStyle,
    maxAttempts: 1,
    // Sorting the SDK's middleware takes a quarter of the CPU time of a put.
    cacheMiddleware: true,
    requestChecksumCalculation: checksums === 'when_required' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED',
    responseChecksumValidation: checksums === 'when_required' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED',
    // Waiting for `100 Continue` costs a round trip, and a request is rarely refused.
    expectContinueHeader: false,
    requestHandler: createHttpHandler(
      { sockets: SOCKETS, connectMs: CONNECT_MS, idleMs: IDLE_MS },
      (request) => (request as Abortable)[SIGNAL],
    ),
  }
  const client = new S3Client(config)
  abortByInput(client)
  signPayloadDigest(client)
  if (checksums === 'when_required') sendMd5ForDeletes(client)
  return client
}

/** Passes the signal from the input of a command to its HTTP request. */
function abortByInput({ middlewareStack }: S3Client): void {
  middlewareStack.add(
    (next) => (args) => {
      const { [SIGNAL]: signal } = args.input as Abortable
      if (signal !== undefined) Object.assign(args.request as Abortable, { [SIGNAL]: signal })
      return next(args)
    },
    { step: 'deserialize', priority: 'low', name: 'abortByInput' },
  )
}

function signPayloadDigest({ middlewareStack }: S3Client): void {
  middlewareStack.add(
    (next) => async (args) => {
      const { [DIGEST]: digest } = args.input as Digested
      const { headers } = args.request as { headers?: Record<string, string> }
      if (digest !== undefined && headers !== undefined) headers['x-amz-content-sha256'] = digest
      return next(args)
    },
    { step: 'build', priority: 'low', name: 'signPayloadDigest' },
  )
}

/** Sends Content-MD5 with batch deletes, which need a checksum: older servers do not know the SDK's CRC32. */
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

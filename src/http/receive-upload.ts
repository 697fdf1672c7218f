import type { Context } from 'koa'
import { ServiceError, UnavailableError } from '../domain/errors.ts'
import { detectType } from '../domain/media-type.ts'
import { type IncomingFiles, tooLarge } from '../media/incoming-files.ts'
import type { FairLimit } from '../platform/fair-limit.ts'
import { sleep } from '../platform/sleep.ts'
import type { Authenticate } from '../services/accounts/authentication.ts'
import type { UploadTurn } from '../services/media/asset-uploads.ts'
import type { ApiState } from './api.ts'
import { inRequest } from './middleware/authenticated.ts'
import { entityTags } from './middleware/entity-tags.ts'
import type { RunOnce } from './middleware/idempotency.ts'
import { type ReceivedUpload, readUpload } from './read-upload.ts'

/** Longest wait for a turn. A connection that sends nothing for longer is closed as stalled. */
const TURN_MS = 10_000
/** Seconds after which a client without a turn may try again. */
const RETRY_SECONDS = 5
/** Maximum of a form without its file. */
const FORM_BYTES = 256 * 1024
/** Memory of an upload: chunks on their way to the disk. */
const BUFFERED_BYTES = 256 * 1024
/** Clients that still send when they are refused read no answer before they have sent all, or the connection ends. */
const DRAIN_MS = 2_000

export interface ReceivePorts {
  readonly incoming: IncomingFiles
  /** Largest files, in bytes. */
  readonly mediaLimits: { readonly image: number; readonly file: number }
  /** Uploads of all accounts that run at once, and of one. */
  readonly uploadTurns: FairLimit
  readonly authenticate: Authenticate
  readonly runOnce: RunOnce
}

/** The length that a request announces; null when it is unknown. */
export function announcedBytes(ctx: Context): number | null {
  return ctx.request.length ?? null
}

/**
 * Receives the file of a request in the turn of its project's account and hands it on. Its key is checked again then,
 * because a file can arrive so slowly that the key is revoked meanwhile. The temporary file is removed at the end.
 *
 * @throws {ServiceError} `service_unavailable` when other uploads of the account take all its turns, and as
 *   `readUpload`.
 */
export async function receiveUpload(
  ctx: Context,
  { incoming, mediaLimits, uploadTurns, authenticate, runOnce }: ReceivePorts,
  turn: UploadTurn,
  handle: (upload: ReceivedUpload) => Promise<void>,
): Promise<void> {
  const { held } = ctx.state as ApiState
  const largest = Math.max(mediaLimits.image, mediaLimits.file)
  if ((announcedBytes(ctx) ?? 0) > largest + FORM_BYTES) throw tooLarge(largest)
  refuseEncoded(ctx)
  held.receiving(BUFFERED_BYTES)
  const limitOf = (head: Buffer) =>
    detectType(head, '').kind === 'image' ? mediaLimits.image : mediaLimits.file

  const late = AbortSignal.timeout(TURN_MS)
  await uploadTurns(turn, receive, late).catch((error) => {
    throw error === late.reason ? withoutTurn() : error
  })

  async function receive(): Promise<void> {
    const upload = await readUpload(ctx, incoming, limitOf)
    try {
      const current = await authenticate(ctx.get('authorization') || undefined)
      ctx.state['caller'] = inRequest(current, ctx.state as ApiState)
      const { digest } = upload.file
      await runOnce(
        ctx,
        async () => JSON.stringify([digest, upload.fileName, ...upload.fields]),
        () => entityTags(ctx, () => handle(upload)),
      )
    } finally {
      await incoming.remove(upload.file)
    }
  }
}

/** Lets a client that is refused before it has sent its file read the answer. */
export async function drainRefused(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (!ctx.req.complete) {
      // The rest of the body would be parsed as the next request.
      ctx.set('Connection', 'close')
      ctx.req.resume()
      const stop = new AbortController()
      const { signal } = stop
      const ended = new Promise<void>((resolve) => ctx.req.once('close', resolve).once('end', resolve))
      await Promise.race([ended, sleep(DRAIN_MS, signal)])
      stop.abort()
    }
    throw error
  }
}

function withoutTurn(): UnavailableError {
  return new UnavailableError(
    `Other uploads of this account run already. Try again in ${RETRY_SECONDS} s, with fewer at once.`,
    RETRY_SECONDS,
  )
}

function refuseEncoded(ctx: Context): void {
  const encoding = ctx.get('content-encoding')
  if (encoding !== '' && encoding !== 'identity')
    throw new ServiceError('invalid_request', 'Content-Encoding is not supported; send the file as it is.')
}

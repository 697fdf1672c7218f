import type { BlockList } from 'node:net'
import { Readable, Stream } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { ServiceError } from '../../domain/errors.ts'
import type { ByteBudget, Reservation } from '../../limits/byte-budget.ts'
import { parseIpRanges } from '../../platform/ip-ranges.ts'
import type { ApiState } from '../api.ts'
import { clientAddress } from '../client-address.ts'
import { createRequestBytes, noRoom } from '../request-bytes.ts'

/** Larger answers are sent in chunks of this size, so that the stall timeout sees how much of them a client takes. */
const CHUNK_BYTES = 64 * 1024

/** Memory of a stream whose client takes nothing: one chunk in the stream and one in the socket. */
const STREAM_BYTES = 2 * CHUNK_BYTES

/**
 * Counts the memory of each request against the budget, from the first byte of its body until the client has taken the
 * last byte of its answer or has disconnected. Sets `state.held`, with which bodies and content count.
 *
 * @throws {UnavailableError} when there is no room for the answer.
 */
export function holdAnswers({
  budget,
  trustProxy,
}: {
  readonly budget: ByteBudget
  readonly trustProxy: readonly string[]
}): Middleware {
  const proxies = parseIpRanges(trustProxy)
  const holdShared = createSharedBuffers(budget)

  return async (ctx, next) => {
    const subject = () => subjectOf(ctx, proxies)
    const held = createRequestBytes(budget, subject)
    ctx.state['held'] = held
    let release = held.release
    try {
      await next()
      // The answer is written: the body of the request is needed no longer.
      ctx.state['bytes'] = undefined
      const body = sentBody(ctx)
      if (Buffer.isBuffer(body)) {
        held.release()
        release = holdShared(body, subject())
      } else held.answering(memoryOf(ctx, body))
    } catch (error) {
      held.release()
      throw error
    } finally {
      if (ctx.res.closed) release()
      else ctx.res.once('close', release)
    }
    sendInChunks(ctx)
  }
}

function subjectOf(ctx: Context, proxies: BlockList): string {
  const { identity } = ctx.state as Partial<ApiState>
  return identity === undefined || identity instanceof ServiceError
    ? `address ${clientAddress(ctx, proxies)}`
    : `user ${identity.userId}`
}

/** The body that the client gets; null for none. */
function sentBody(ctx: Context): unknown {
  return ctx.method === 'HEAD' ? null : (ctx.body ?? null)
}

/** Only small answers are objects by now: entity tags turn those of the API into text. */
function memoryOf(ctx: Context, body: unknown): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (!(body instanceof Stream)) return 0
  const { bufferedBytes = 0 } = ctx.state as Partial<ApiState>
  return bufferedBytes + Math.min(ctx.length ?? STREAM_BYTES, STREAM_BYTES)
}

/** Counts a buffer once, however many answers send it. */
function createSharedBuffers(budget: ByteBudget) {
  const sent = new Map<Buffer, { answers: number; readonly reservation: Reservation }>()

  return (buffer: Buffer, subject: string): (() => void) => {
    const shared = sent.get(buffer) ?? { answers: 0, reservation: budget.open(subject) }
    if (shared.answers === 0 && !shared.reservation.resize(buffer.length)) throw noRoom()
    shared.answers += 1
    sent.set(buffer, shared)
    return () => {
      shared.answers -= 1
      if (shared.answers > 0) return
      shared.reservation.resize(0)
      sent.delete(buffer)
    }
  }
}

function sendInChunks(ctx: Context): void {
  const body = sentBody(ctx)
  const bytes = typeof body === 'string' && body.length > CHUNK_BYTES / 4 ? Buffer.from(body) : body
  if (!Buffer.isBuffer(bytes) || bytes.length <= CHUNK_BYTES) return
  ctx.body = Readable.from(chunksOf(bytes), { objectMode: false, highWaterMark: CHUNK_BYTES })
  ctx.length = bytes.length
}

function* chunksOf(bytes: Buffer): Iterable<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES)
}

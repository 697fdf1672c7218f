import type { Readable } from 'node:stream'
import { excludedFromAnswerTime } from '../platform/answer-time.ts'
import { hasCode } from '../platform/fs-errors.ts'

export type BodyFault = 'too large' | 'too fragmented' | 'ended early'

/** Chunks after which their average length counts: each costs time, however short it is. */
const MANY_CHUNKS = 10_000
const MIN_AVERAGE_BYTES = 64

/**
 * Part of an announced length after which the buffer has room for the rest. Further growth would leave as many bytes
 * again to the garbage collector, which holds the main thread for longer than copying them does.
 */
const TRUSTED_PART = 1 / 8

/** Capacity of the buffer for a body of unknown length. It doubles as bytes arrive. */
const FIRST_BYTES = 4 * 1024

/**
 * Reads a body into one buffer that grows with the received bytes: neither an announced length nor the number of chunks
 * costs memory.
 *
 * @param options.length the announced length; null when unknown.
 * @param options.onGrow called with the capacity before the buffer grows; may throw.
 * @returns an error instead of the bytes. The rest of a body that is too large or too fragmented is not read.
 */
export async function readBody(request: Readable, options: ReadOptions): Promise<Buffer | BodyFault> {
  return excludedFromAnswerTime(() => readAll(request, options))
}

interface ReadOptions {
  readonly limit: number
  readonly length: number | null
  readonly onGrow: (capacity: number) => void
}

async function readAll(
  request: Readable,
  { limit, length, onGrow }: ReadOptions,
): Promise<Buffer | BodyFault> {
  if (length !== null && length > limit) return 'too large'
  let bytes: Buffer = Buffer.alloc(0)
  let size = 0
  let chunks = 0
  try {
    // Not destroyed at an error: the answer is sent over the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const needed = size + chunk.length
      if (needed > limit) return 'too large'
      if (needed > bytes.length) bytes = grown(bytes, needed)
      size += chunk.copy(bytes, size)
      chunks += 1
      if (chunks > MANY_CHUNKS && size < chunks * MIN_AVERAGE_BYTES) return 'too fragmented'
    }
  } catch (error) {
    if (hasCode(error, ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])) return 'ended early'
    throw error
  }
  return bytes.subarray(0, size)

  function grown(current: Buffer, needed: number): Buffer {
    const isTrusted = length !== null && needed >= length * TRUSTED_PART
    const next = isTrusted ? length : Math.max(needed, current.length * 2, FIRST_BYTES)
    const capacity = Math.min(next, length ?? limit)
    onGrow(capacity)
    const larger = Buffer.allocUnsafeSlow(capacity)
    current.copy(larger)
    return larger
  }
}

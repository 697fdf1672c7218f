import { readSync, writeSync } from 'node:fs'

// A message between two processes is some byte strings: how long all that follows is, how many parts there
// are, how long each is, and the parts themselves. Lengths are 32 bits, the highest byte first.

/** Text as UTF-8. */
export type Part = Uint8Array | string

const LENGTH = 4
/** Read or written at once; most messages are shorter. */
const CHUNK = 131_072

/** @param parts fewer than 4 GB together. */
export function packMessage(parts: readonly Part[]): Buffer {
  const lengths = lengthsOf(parts)
  return filled(Buffer.allocUnsafe(sizeOf(lengths)), parts, lengths)
}

/** Puts messages together of what arrives. */
export function createMessageReader() {
  let chunks: readonly Buffer[] = []
  let size = 0
  return {
    /** The messages that the chunk completes, each as its parts. */
    add(chunk: Buffer): readonly (readonly Buffer[])[] {
      chunks = [...chunks, chunk]
      size += chunk.length
      const messages: (readonly Buffer[])[] = []
      for (let length = lengthOf(chunks, size); length <= size; length = lengthOf(chunks, size)) {
        const whole = joined(chunks)
        messages.push(unpackParts(whole.subarray(0, length)))
        size -= length
        chunks = size === 0 ? [] : [whole.subarray(length)]
      }
      return messages
    },
    /** Whether a message has begun. */
    isPartWay: () => size > 0,
  }
}

/** Of the next message, as far as that can be told. */
function lengthOf(chunks: readonly Buffer[], size: number): number {
  return size < LENGTH ? LENGTH : LENGTH + joined(chunks, LENGTH).readUInt32BE(0)
}

/** @param least no more than so many bytes are needed. */
function joined(chunks: readonly Buffer[], least = Number.POSITIVE_INFINITY): Buffer {
  const [first] = chunks
  return first !== undefined && (chunks.length === 1 || first.length >= least) ? first : Buffer.concat(chunks)
}

/** New memory for each message would cost as much again as all else that is done with it. */
const reused = { read: Buffer.alloc(CHUNK), written: Buffer.alloc(CHUNK) }

/**
 * Messages as they come, each waited for with all that this process does.
 *
 * @returns what gives the next one, valid until it is called again; null when there will be none.
 */
export function createMessageInput(fd: number): () => readonly Buffer[] | null {
  const reader = createMessageReader()
  const come: (readonly Buffer[])[] = []
  return () => {
    for (;;) {
      const next = come.shift()
      if (next !== undefined) return next
      const into = reader.isPartWay() ? Buffer.allocUnsafe(CHUNK) : reused.read
      const length = readSync(fd, into)
      if (length === 0) return null
      come.push(...reader.add(into.subarray(0, length)))
    }
  }
}

/** Waits until all of it is on its way. */
export function writeMessageSync(fd: number, parts: readonly Part[]): void {
  const lengths = lengthsOf(parts)
  const size = sizeOf(lengths)
  const message = filled(size > CHUNK ? Buffer.allocUnsafe(size) : reused.written, parts, lengths)
  for (let at = 0; at < size; ) at += writeSync(fd, message, at, size - at)
}

function lengthsOf(parts: readonly Part[]): readonly number[] {
  return parts.map((part) => (typeof part === 'string' ? Buffer.byteLength(part) : part.byteLength))
}

function sizeOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, LENGTH * (2 + lengths.length))
}

function filled(message: Buffer, parts: readonly Part[], lengths: readonly number[]): Buffer {
  let at = 0
  for (const number of [sizeOf(lengths) - LENGTH, lengths.length, ...lengths])
    at = message.writeUInt32BE(number, at)
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') message.write(part, at)
    else message.set(part, at)
    at += lengths[index] as number
  }
  return message
}

function unpackParts(whole: Buffer): readonly Buffer[] {
  const count = whole.readUInt32BE(LENGTH)
  let at = LENGTH * (2 + count)
  return Array.from({ length: count }, (_, index) => {
    const part = whole.subarray(at, at + whole.readUInt32BE(LENGTH * (2 + index)))
    at += part.length
    return part
  })
}

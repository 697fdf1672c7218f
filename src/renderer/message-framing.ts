import { readSync, writeSync } from 'node:fs'

// The format of a message between two processes: its length, the number of its parts, the length of each part,
// then the parts. Lengths are 32 bits, big-endian.

/** Text as UTF-8. */
export type Part = Uint8Array | string

const LENGTH = 4
/** Bytes per read or write. Most messages are shorter. */
const CHUNK = 131_072

/** @param parts less than 4 GB in total. */
export function packMessage(parts: readonly Part[]): Buffer {
  const lengths = lengthsOf(parts)
  return filled(Buffer.allocUnsafe(sizeOf(lengths)), parts, lengths)
}

/** Assembles messages from chunks. */
export function createMessageReader() {
  let chunks: readonly Buffer[] = []
  let size = 0
  return {
    /** Returns the messages that the chunk completes, each as its parts. */
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
    /** Reports whether a message is incomplete. */
    isPartWay: () => size > 0,
  }
}

/** Length of the next message; the length of its first field until it is known. */
function lengthOf(chunks: readonly Buffer[], size: number): number {
  return size < LENGTH ? LENGTH : LENGTH + joined(chunks, LENGTH).readUInt32BE(0)
}

/** @param least bytes that are needed. */
function joined(chunks: readonly Buffer[], least = Number.POSITIVE_INFINITY): Buffer {
  const [first] = chunks
  return first !== undefined && (chunks.length === 1 || first.length >= least) ? first : Buffer.concat(chunks)
}

/** Reused buffers: allocating one per message would double its cost. */
const reused = { read: Buffer.alloc(CHUNK), written: Buffer.alloc(CHUNK) }

/**
 * Reads messages synchronously. The process is blocked while it waits.
 *
 * @returns a function that returns the next message, valid until the next call; null at the end of the input.
 */
export function createMessageInput(fd: number): () => readonly Buffer[] | null {
  const reader = createMessageReader()
  const complete: (readonly Buffer[])[] = []
  return () => {
    for (;;) {
      const next = complete.shift()
      if (next !== undefined) return next
      const into = reader.isPartWay() ? Buffer.allocUnsafe(CHUNK) : reused.read
      const length = readSync(fd, into)
      if (length === 0) return null
      complete.push(...reader.add(into.subarray(0, length)))
    }
  }
}

/** Writes a message synchronously. */
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

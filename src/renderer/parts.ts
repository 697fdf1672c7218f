import { readSync, writeSync } from 'node:fs'

// A message between two processes is some byte strings: how long all that follows is, how many parts there
// are, how long each is, and the parts themselves. Lengths are 32 bits, the highest byte first.

/** Text as UTF-8. */
export type Part = Uint8Array | string

const LENGTH = 4
/** Read or written at once; most messages are shorter. */
const CHUNK = 131_072

/** @param parts fewer than 4 GB together. */
export function packParts(parts: readonly Part[]): Buffer {
  const lengths = lengthsOf(parts)
  return filled(Buffer.allocUnsafe(sizeOf(lengths)), parts, lengths)
}

/**
 * Puts messages together of what arrives, one after the other: whoever sends the next one waits for the
 * answer to this one.
 *
 * @returns given a chunk, the parts of the message that it completes, or null.
 */
export function createPartsReader(): (chunk: Buffer) => readonly Buffer[] | null {
  let chunks: Buffer[] = []
  let size = 0
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    if (size < LENGTH) return null
    const first = (chunks[0] as Buffer).length < LENGTH ? Buffer.concat(chunks) : (chunks[0] as Buffer)
    if (size < LENGTH + first.readUInt32BE(0)) return null
    const whole = chunks.length === 1 ? first : Buffer.concat(chunks)
    chunks = []
    size = 0
    return unpackParts(whole)
  }
}

/** To get memory from the system anew takes longer than all else that a message costs. */
const reused = { read: Buffer.alloc(CHUNK), written: Buffer.alloc(CHUNK) }

/** The next message, waited for with all that this process does, and valid until the one after it; null when there will be none. */
export function readPartsNow(fd: number): readonly Buffer[] | null {
  const read = createPartsReader()
  for (let into = reused.read; ; into = Buffer.allocUnsafe(CHUNK)) {
    const length = readSync(fd, into)
    if (length === 0) return null
    const parts = read(into.subarray(0, length))
    if (parts !== null) return parts
  }
}

/** Waits until all of it is on its way. */
export function writePartsNow(fd: number, parts: readonly Part[]): void {
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

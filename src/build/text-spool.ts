import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** Texts that lie in a file until somebody asks for them, so that they need not all be in memory. */
export interface TextSpool {
  /** @returns null where it cannot be written, on a full disk: the text has to stay in memory then. */
  put(text: string): KeptText | null
  /** Nothing is asked for any more. */
  close(): void
}

/** A text that was put into a file. */
export interface KeptText {
  readonly file: Pick<TextFile, 'read'>
  /** In bytes. */
  readonly start: number
  readonly size: number
  /** Whether a character takes two bytes. */
  readonly isWide: boolean
}

interface TextFile {
  read(text: KeptText): string
}

/** Bytes that are written, or read ahead, by one call. */
const BLOCK = 128 * 1024

/** @param path of a file that is not there yet. */
export function createTextSpool(path: string): TextSpool {
  const descriptor = openSync(path, 'wx+')
  /** What follows in the file, and how much of it there is. */
  const waiting = Buffer.allocUnsafeSlow(BLOCK)
  let filled = 0
  let written = 0
  let isUsable = true
  /** A stretch of the file as it was read last. */
  let block = { start: 0, bytes: Buffer.alloc(0) }
  /** Mostly asked for more than once in a row. */
  let last: { readonly start: number; readonly text: string } | null = null
  const file: TextFile = { read: (text) => (last?.start === text.start ? last.text : decoded(text)) }

  return {
    put(text) {
      const isWide = !isOneByte(text)
      const size = text.length * (isWide ? 2 : 1)
      if (!isUsable || size === 0 || size > BLOCK) return null
      if (filled + size > BLOCK && !flush()) return null
      const start = written + filled
      filled += waiting.write(text, filled, encodingOf(isWide))
      last = { start, text }
      return { file, start, size, isWide }
    },
    close: () => closeSync(descriptor),
  }

  /** What could not be written stays here, to be read. */
  function flush(): boolean {
    try {
      for (let at = 0; at < filled; ) at += writeSync(descriptor, waiting, at, filled - at, written + at)
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      isUsable = false
      return false
    }
    written += filled
    filled = 0
    return true
  }

  function decoded({ start, size, isWide }: KeptText): string {
    const [from, at] =
      start >= written ? [waiting, start - written] : [blockWith(start, size), start - block.start]
    const text = from.toString(encodingOf(isWide), at, at + size)
    last = { start, text }
    return text
  }

  function blockWith(start: number, size: number): Buffer {
    const after = start - block.start - block.bytes.length
    if (start >= block.start && after + size <= 0) return block.bytes
    // Texts that are asked for in their order are few calls then, and others are not read for nothing.
    const isNext = after >= -BLOCK && after < BLOCK
    const bytes = Buffer.allocUnsafeSlow(isNext ? Math.max(size, Math.min(BLOCK, written - start)) : size)
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(descriptor, bytes, at, bytes.length - at, start + at)
      if (count === 0) throw new Error(`${path} was cut while a site was built; build again.`)
      at += count
    }
    block = { start, bytes }
    return bytes
  }
}

function isOneByte(text: string): boolean {
  return !/[\u0100-\uffff]/.test(text)
}

/** So that half of a character comes back as it was. */
function encodingOf(isWide: boolean): BufferEncoding {
  return isWide ? 'utf16le' : 'latin1'
}

const kept = new WeakMap<object, KeptText>()

/** What of the object is no longer in memory; null where all of it is. */
export function keptText(of: object): KeptText | null {
  return kept.get(of) ?? null
}

/** A property that lies in a file, as text. The same for many objects, so that all of them are of one shape. */
export interface KeptProperty<Name extends string, Value> {
  /** The object with the property, which is read each time that somebody asks for it. */
  on<Rest extends object>(rest: Rest, text: KeptText): Rest & Readonly<Record<Name, Value>>
}

/** @param read what the text says. */
export function keptProperty<Name extends string, Value>(
  name: Name,
  read: (text: string) => Value,
): KeptProperty<Name, Value> {
  const property: PropertyDescriptor & ThisType<object> = {
    enumerable: true,
    get() {
      const text = kept.get(this)
      return text && read(text.file.read(text))
    },
  }
  return {
    on<Rest extends object>(rest: Rest, text: KeptText) {
      kept.set(rest, text)
      return Object.defineProperty(rest, name, property) as Rest & Readonly<Record<Name, Value>>
    },
  }
}

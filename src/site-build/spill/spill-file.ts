import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/**
 * Texts, and numbers as bytes, that lie in a file until somebody asks for them, so that they need not all be in
 * memory.
 */
export interface TextSpool {
  /**
   * A text that was put, or asked for, right before lies there already.
   *
   * @returns null where it cannot be written, on a full disk: the text has to stay in memory then.
   */
  put(text: string): KeptText | null
  /** @returns null as for a text. */
  putBytes(bytes: Uint8Array): KeptBytes | null
  /** Afterwards all that was put can be read from the file. @returns false where it cannot be written. */
  flush(): boolean
  /** Nothing is asked for any more. */
  close(): void
}

/** Where bytes lie in a file. */
interface BytesPlace {
  readonly start: number
  readonly size: number
}

/** Where a text lies, as bytes. */
export interface TextPlace extends BytesPlace {
  /** Whether a character takes two of them. */
  readonly isWide: boolean
}

/** Bytes that were put into a file. */
export interface KeptBytes extends BytesPlace {
  readonly file: SpoolFile
}

export interface KeptText extends TextPlace {
  readonly file: SpoolFile
}

interface SpoolFile {
  read(text: KeptText): string
  /** @param into with room for them. */
  readBytes(bytes: BytesPlace, into: Uint8Array): void
}

/** Bytes that are written by one call. */
const BLOCK = 128 * 1024
/** Bytes that are read by one call, of texts that are asked for about in their order. */
const STRETCH = 64 * 1024
/** Those that are at hand: threads that render put texts out of order by as much. */
const STRETCHES = 4

const NOTHING = { number: -1, size: 0 }

/** @param path of a file that is not there yet. */
export function createTextSpool(path: string): TextSpool {
  const descriptor = openSync(path, 'wx+')
  /** What follows in the file, and how much of it there is. */
  const waiting = Buffer.allocUnsafeSlow(BLOCK)
  let filled = 0
  let written = 0
  let isUsable = true
  const blockOf = blockReader(descriptor, path)
  /** Mostly asked for more than once in a row. */
  let last: { readonly kept: KeptText; readonly text: string } | null = null
  const file: SpoolFile = {
    read: (text) => (last?.kept.start === text.start ? last.text : decoded(text)),
    readBytes(bytes, into) {
      const [from, at] = placeOf(bytes)
      from.copy(into, 0, at, at + bytes.size)
    },
  }

  return {
    put(text) {
      if (last?.text === text) return last.kept
      const isWide = !isOneByte(text)
      const size = text.length * (isWide ? 2 : 1)
      if (!hasRoom(size)) return null
      const start = written + filled
      filled += waiting.write(text, filled, encodingOf(isWide))
      const kept = { file, start, size, isWide }
      last = { kept, text }
      return kept
    },
    putBytes(bytes) {
      const size = bytes.length
      if (!hasRoom(size)) return null
      const start = written + filled
      waiting.set(bytes, filled)
      filled += size
      return { file, start, size }
    },
    flush,
    close: () => closeSync(descriptor),
  }

  /** Nothing is put where the next would lie too. */
  function hasRoom(size: number): boolean {
    return isUsable && size > 0 && size <= BLOCK && (filled + size <= BLOCK || flush())
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

  function decoded(kept: KeptText): string {
    const text = textAt(placeOf(kept), kept)
    last = { kept, text }
    return text
  }

  function placeOf(bytes: BytesPlace): InBytes {
    return bytes.start >= written ? [waiting, bytes.start - written] : blockOf(bytes)
  }
}

/** Reads texts that another thread has put into its file. */
export interface TextReader {
  read(text: TextPlace): string
  close(): void
}

/** @param path of the file of a spool. What is read of it must have been flushed. */
export function openTexts(path: string): TextReader {
  const descriptor = openSync(path, 'r')
  const blockOf = blockReader(descriptor, path)
  return { read: (text) => textAt(blockOf(text), text), close: () => closeSync(descriptor) }
}

/** What some bytes are in, and where. */
type InBytes = readonly [Buffer, number]

function textAt([from, at]: InBytes, { size, isWide }: TextPlace): string {
  return from.toString(encodingOf(isWide), at, at + size)
}

/**
 * @returns gives what is asked for and more of the file around it, until it is asked for more: all is in the same
 *   memory, since memory beside the heap is given back late.
 */
function blockReader(descriptor: number, path: string): (bytes: BytesPlace) => InBytes {
  const memory = Buffer.allocUnsafeSlow(STRETCHES * STRETCH + BLOCK)
  const alone = memory.subarray(STRETCHES * STRETCH)
  /** What of the file lies in each part of the memory: which stretch, and how much of it was there. */
  const lying = Array.from({ length: STRETCHES }, () => NOTHING)
  let last = 0

  return ({ start, size }) => {
    const number = Math.floor(start / STRETCH)
    const at = start - number * STRETCH
    // Of texts in no order, each would have the rest of a stretch read for nothing.
    const isNear = Math.abs(number - last) < STRETCHES
    last = number
    if (!isNear || at + size > STRETCH) {
      if (readAt(start, alone.subarray(0, size)) < size) throw cut(path)
      return [alone, 0]
    }
    const slot = number % STRETCHES
    const from = slot * STRETCH
    const there = lying[slot]
    if (there?.number !== number || there.size < at + size) {
      lying[slot] = NOTHING
      const read = readAt(number * STRETCH, memory.subarray(from, from + STRETCH))
      lying[slot] = { number, size: read }
      if (read < at + size) throw cut(path)
    }
    return [memory, from + at]
  }

  /** @returns how much there was, at the end of the file less than there is room for. */
  function readAt(start: number, into: Uint8Array): number {
    let size = 0
    while (size < into.length) {
      const count = readSync(descriptor, into, size, into.length - size, start + size)
      if (count === 0) break
      size += count
    }
    return size
  }
}

function cut(path: string): Error {
  return new Error(`${path} was cut while a site was built; build again.`)
}

function isOneByte(text: string): boolean {
  return !/[\u0100-\uffff]/.test(text)
}

/** So that half of a character comes back as it was. */
function encodingOf(isWide: boolean): BufferEncoding {
  return isWide ? 'utf16le' : 'latin1'
}

/** Where the text of an object lies. Copies of the object have the text itself. */
const KEPT = Symbol('kept')

interface Keeping {
  readonly [KEPT]?: KeptText
}

/** What of the object is no longer in memory; null where all of it is. */
export function keptText(of: object): KeptText | null {
  return (of as Keeping)[KEPT] ?? null
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
  const property: PropertyDescriptor & ThisType<Keeping> = {
    enumerable: true,
    get() {
      const text = this[KEPT]
      return text && read(text.file.read(text))
    },
  }
  return {
    on<Rest extends object>(rest: Rest, text: KeptText) {
      Object.defineProperty(rest, KEPT, { value: text })
      return Object.defineProperty(rest, name, property) as Rest & Readonly<Record<Name, Value>>
    },
  }
}

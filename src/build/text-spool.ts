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
/** As many are read around a text, on either side: threads that render put texts out of order by so much. */
const AROUND = BLOCK

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
 * @returns gives a stretch of the file with what is asked for in it, until it is asked for more; one for all, since
 *   memory beside the heap is given back late.
 */
function blockReader(descriptor: number, path: string): (bytes: BytesPlace) => InBytes {
  const block = Buffer.allocUnsafeSlow(2 * AROUND)
  let blockStart = 0
  let blockEnd = 0

  return ({ start, size }) => {
    if (start < blockStart || start + size > blockEnd) readBlock(start, start + size)
    return [block, start - blockStart]
  }

  function readBlock(start: number, end: number): void {
    // Texts that are asked for about in their order are few calls then, and others are not read for nothing.
    const isNear = start > blockStart - AROUND && start < blockEnd + AROUND
    const from = isNear ? Math.max(0, start - AROUND) : start
    const to = isNear ? start + AROUND : end
    let at = from
    while (at < to) {
      const count = readSync(descriptor, block, at - from, to - at, at)
      if (count === 0) break
      at += count
    }
    if (at < end) throw new Error(`${path} was cut while a site was built; build again.`)
    blockStart = from
    blockEnd = at
  }
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

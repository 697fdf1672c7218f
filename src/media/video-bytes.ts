import type { FileHandle } from 'node:fs/promises'

/** Parts read of one file. Videos need some dozen; hostile files have millions of parts without a video. */
const MAX_READS = 512

/** Reads short parts of a file at offsets, wherever they are. */
export interface VideoBytes {
  /** Size of the file in bytes. */
  readonly size: number
  /** Fewer bytes at the end of the file; none when too many parts were read. */
  read(at: number, length: number): Promise<Buffer>
}

/** A part of a file: a box of ISO/IEC 14496-12, or an element of Matroska. */
export interface VideoPart {
  readonly type: string
  /** Offsets of the beginning and the end of its contents. */
  readonly body: number
  readonly to: number
}

export function videoBytes(handle: FileHandle, size: number): VideoBytes {
  let left = MAX_READS
  return {
    size,
    async read(at, length) {
      if (left === 0 || at >= size) return Buffer.alloc(0)
      left -= 1
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at)
      return buffer.subarray(0, bytesRead)
    },
  }
}

/**
 * Yields the parts between two offsets. Stops at a damaged one. No part ends after its container.
 *
 * @param headerAt reads the beginning of a part; null when there is none.
 */
export async function* partsIn(
  { body, to: end }: Pick<VideoPart, 'body' | 'to'>,
  headerAt: (at: number, end: number) => Promise<VideoPart | null>,
): AsyncGenerator<VideoPart> {
  for (let at = body; at < end; ) {
    const part = await headerAt(at, end)
    if (part === null) return
    yield { ...part, to: Math.min(part.to, end) }
    at = part.to
  }
}

import { damagedImage } from '../image-error.ts'

/** Reads numbers at offsets. Reading behind the end means that the file is incomplete. */
export interface ByteReader {
  readonly length: number
  u8(at: number): number
  u16(at: number): number
  u24(at: number): number
  u32(at: number): number
  /** A number of 0, 4 or 8 bytes, as sizes in ISO media files are written. */
  sized(at: number, size: number): number
  /** Latin-1. */
  text(at: number, length: number): string
  slice(from: number, to: number): Uint8Array
}

export function byteReader(bytes: Uint8Array, littleEndian = false): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const within = <Result>(read: () => Result): Result => {
    try {
      return read()
    } catch (error) {
      if (error instanceof RangeError) throw damagedImage(error)
      throw error
    }
  }
  const u8 = (at: number) => within(() => view.getUint8(at))
  const u32 = (at: number) => within(() => view.getUint32(at, littleEndian))
  return {
    length: bytes.byteLength,
    u8,
    u16: (at) => within(() => view.getUint16(at, littleEndian)),
    u24: (at) =>
      littleEndian
        ? u8(at) | (u8(at + 1) << 8) | (u8(at + 2) << 16)
        : (u8(at) << 16) | (u8(at + 1) << 8) | u8(at + 2),
    u32,
    sized(at, size) {
      if (size === 0) return 0
      return size === 8 ? u32(at) * 2 ** 32 + u32(at + 4) : u32(at)
    },
    text: (at, length) => Buffer.from(bytes.subarray(at, at + length)).toString('latin1'),
    slice(from, to) {
      if (from < 0 || to > bytes.byteLength || from > to) throw damagedImage()
      return bytes.subarray(from, to)
    },
  }
}

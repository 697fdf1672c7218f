import { byteReader } from './bytes.ts'

const ORIENTATION = 0x0112
const SHORT = 3
const ENTRY_SIZE = 12
/** Entries of a directory that are looked at: cameras write some dozen. */
const MAX_ENTRIES = 512

/** Orientation from EXIF, which begins with a TIFF header. 1 if it says nothing of it, or is broken. */
export function exifOrientation(exif: Uint8Array): number {
  try {
    const order = Buffer.from(exif.subarray(0, 2)).toString('latin1')
    if (order !== 'II' && order !== 'MM') return 1
    const { u16, u32 } = byteReader(exif, order === 'II')
    const directory = u32(4)
    const count = Math.min(u16(directory), MAX_ENTRIES)
    for (let index = 0; index < count; index += 1) {
      const entry = directory + 2 + index * ENTRY_SIZE
      if (u16(entry) !== ORIENTATION || u16(entry + 2) !== SHORT) continue
      const orientation = u16(entry + 8)
      return orientation >= 1 && orientation <= 8 ? orientation : 1
    }
    return 1
  } catch {
    // Broken metadata is dropped; the picture may be whole.
    return 1
  }
}

/** EXIF with an orientation and nothing else, after the marker of a JPEG segment. */
export function orientationSegment(orientation: number): Uint8Array {
  const tiff = [
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    0x01,
    0x12,
    0,
    SHORT,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ]
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff]
  return Uint8Array.from([0xff, 0xe1, 0, exif.length + 2, ...exif])
}

import { byteReader } from './bytes.ts'

/** Prefix of the TIFF header in JPEG. Some programs write it in WebP too. */
const MARKER = 'Exif\0\0'
const ORIENTATION = 0x0112
const SHORT = 3
const ENTRY_SIZE = 12
/** Entries of a directory that are looked at: cameras write some dozen. */
const MAX_ENTRIES = 512

/** Orientation from EXIF, with or without its marker. 1 if it is missing or broken. */
export function exifOrientation(bytes: Uint8Array): number {
  const isMarked = Buffer.from(bytes.subarray(0, MARKER.length)).toString('latin1') === MARKER
  const exif = isMarked ? bytes.subarray(MARKER.length) : bytes
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
    // Broken metadata is dropped; the image may be whole.
    return 1
  }
}

/** A JPEG segment whose EXIF has an orientation and nothing else. */
export function orientationSegment(orientation: number): Uint8Array {
  const header = 'MM\0*\0\0\0\x08'
  const entry = `\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0`
  const exif = `${MARKER}${header}\0\x01${entry}\0\0\0\0`
  return Buffer.from(`\xff\xe1\0${String.fromCharCode(exif.length + 2)}${exif}`, 'latin1')
}

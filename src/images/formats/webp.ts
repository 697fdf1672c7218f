import { damagedImage } from '../image-error.ts'
import { type ByteReader, byteReader } from './bytes.ts'
import { exifOrientation } from './exif.ts'
import type { FormatReader } from './image-header.ts'

/** `RIFF`, a size and `WEBP`. */
const HEADER_SIZE = 12
const KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP'])
const EXIF_FLAG = 0x08
const XMP_FLAG = 0x04
const ALPHA_FLAG = 0x10

interface Chunk {
  readonly type: string
  readonly from: number
  readonly to: number
  readonly body: number
}

/** RFC 9649. */
export const WEBP: FormatReader = {
  matches(bytes) {
    const text = Buffer.from(bytes.subarray(0, HEADER_SIZE)).toString('latin1')
    return text.startsWith('RIFF') && text.endsWith('WEBP')
  },

  header(bytes) {
    const reader = byteReader(bytes, true)
    const all = chunks(reader)
    const [first] = all
    if (first === undefined) throw damagedImage()
    const exif = all.find(({ type }) => type === 'EXIF')
    return {
      format: 'webp',
      ...sizeIn(reader, first),
      orientation: exif === undefined ? 1 : exifOrientation(reader.slice(exif.body, exif.to)),
      frames: Math.max(1, all.filter(({ type }) => type === 'ANMF').length),
      alpha: hasAlpha(reader, first),
    }
  },

  stripped(bytes) {
    const reader = byteReader(bytes, true)
    const kept = chunks(reader)
      .filter(({ type }) => KEPT.has(type))
      .map(({ type, from, to }) => {
        const chunk = Buffer.from(reader.slice(from, to))
        if (type === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ~(EXIF_FLAG | XMP_FLAG)
        return chunk
      })
    const file = Buffer.concat([reader.slice(0, HEADER_SIZE), ...kept])
    file.writeUInt32LE(file.length - 8, 4)
    return file
  },
}

function chunks(reader: ByteReader): readonly Chunk[] {
  const end = 8 + reader.u32(4)
  // A file that ends early is incomplete; bytes behind its end belong to something else.
  reader.slice(HEADER_SIZE, end)
  const found: Chunk[] = []
  for (let from = HEADER_SIZE; from < end; ) {
    const size = reader.u32(from + 4)
    const to = from + 8 + size + (size % 2)
    reader.slice(from, Math.min(to, end))
    if (from + 8 + size > end) throw damagedImage()
    found.push({ type: reader.text(from, 4), from, to: Math.min(to, end), body: from + 8 })
    from = to
  }
  return found
}

function sizeIn(
  reader: ByteReader,
  { type, body }: Chunk,
): { readonly width: number; readonly height: number } {
  if (type === 'VP8X') return { width: reader.u24(body + 4) + 1, height: reader.u24(body + 7) + 1 }
  if (type === 'VP8 ') return { width: reader.u16(body + 6) & 0x3fff, height: reader.u16(body + 8) & 0x3fff }
  if (type !== 'VP8L') throw damagedImage()
  const bits = reader.u32(body + 1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
}

function hasAlpha(reader: ByteReader, { type, body }: Chunk): boolean {
  if (type === 'VP8X') return (reader.u8(body) & ALPHA_FLAG) !== 0
  return type === 'VP8L' && ((reader.u32(body + 1) >> 28) & 1) === 1
}

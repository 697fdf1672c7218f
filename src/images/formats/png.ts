import { damagedImage } from '../image-error.ts'
import { type ByteReader, byteReader } from './bytes.ts'
import { exifOrientation } from './exif.ts'
import type { FormatReader } from './image-header.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Length, type and checksum of a chunk. */
const OVERHEAD = 12
/** Colour types with an alpha channel. */
const WITH_ALPHA = [4, 6]

/** Pixels, animation and colour. All others are text, times, EXIF or unknown. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
)

interface Chunk {
  readonly type: string
  readonly from: number
  readonly to: number
}

/** W3C Portable Network Graphics, third edition. */
export const PNG: FormatReader = {
  matches: (bytes) => SIGNATURE.every((byte, index) => bytes[index] === byte),

  header(bytes) {
    const reader = byteReader(bytes)
    const all = [...chunks(reader)]
    if (all[0]?.type !== 'IHDR') throw damagedImage()
    const named = (type: string) => all.find((chunk) => chunk.type === type)
    const exif = named('eXIf')
    const animation = named('acTL')
    const colourType = reader.u8(SIGNATURE.length + 17)
    return {
      format: 'png',
      width: reader.u32(SIGNATURE.length + 8),
      height: reader.u32(SIGNATURE.length + 12),
      orientation: exif === undefined ? 1 : exifOrientation(reader.slice(exif.from + 8, exif.to - 4)),
      frames: animation === undefined ? 1 : Math.max(1, reader.u32(animation.from + 8)),
      alpha: WITH_ALPHA.includes(colourType) || named('tRNS') !== undefined,
    }
  },

  stripped(bytes) {
    const reader = byteReader(bytes)
    const kept = [...chunks(reader)].filter(({ type }) => KEPT.has(type))
    return Buffer.concat([SIGNATURE, ...kept.map(({ from, to }) => reader.slice(from, to))])
  },
}

function* chunks(reader: ByteReader): Generator<Chunk> {
  for (let from = SIGNATURE.length; ; ) {
    const to = from + OVERHEAD + reader.u32(from)
    const type = reader.text(from + 4, 4)
    reader.slice(from, to)
    yield { type, from, to }
    if (type === 'IEND') return
    from = to
  }
}

import { damagedImage } from '../image-error.ts'
import { type ByteReader, byteReader } from './bytes.ts'
import type { FormatReader } from './image-header.ts'

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff
/** Header and logical screen descriptor. */
const SCREEN_SIZE = 13
const IMAGE_SIZE = 10
/** Repetitions of an animation, and the colour profile. Others hold XMP and what programs note for themselves. */
const KEPT_APPLICATIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

interface Block {
  readonly kind: number
  /** Label of an extension. */
  readonly label: number
  readonly from: number
  readonly to: number
}

/** CompuServe GIF89a. */
export const GIF: FormatReader = {
  matches: (bytes) => /^GIF8[79]a$/.test(Buffer.from(bytes.subarray(0, 6)).toString('latin1')),

  header(bytes) {
    const reader = byteReader(bytes, true)
    const all = [...blocks(reader)]
    const frames = all.filter(({ kind }) => kind === IMAGE).length
    if (frames === 0) throw damagedImage()
    const isTransparent = ({ kind, label, from }: Block) =>
      kind === EXTENSION && label === GRAPHIC_CONTROL && (reader.u8(from + 3) & 1) === 1
    return {
      format: 'gif',
      width: reader.u16(6),
      height: reader.u16(8),
      orientation: 1,
      frames,
      alpha: all.some(isTransparent),
    }
  },

  stripped(bytes) {
    const reader = byteReader(bytes, true)
    const kept = [...blocks(reader)].filter((block) => isKept(reader, block))
    return Buffer.concat([
      reader.slice(0, SCREEN_SIZE + paletteSize(reader.u8(10))),
      ...kept.map(({ from, to }) => reader.slice(from, to)),
    ])
  },
}

function isKept(reader: ByteReader, { kind, label, from }: Block): boolean {
  if (kind !== EXTENSION || label === GRAPHIC_CONTROL) return true
  return label === APPLICATION && KEPT_APPLICATIONS.includes(reader.text(from + 3, 11))
}

function* blocks(reader: ByteReader): Generator<Block> {
  let from = SCREEN_SIZE + paletteSize(reader.u8(10))
  for (;;) {
    const kind = reader.u8(from)
    const to = endOf(reader, kind, from)
    yield { kind, label: kind === EXTENSION ? reader.u8(from + 1) : 0, from, to }
    if (kind === TRAILER) return
    from = to
  }
}

function endOf(reader: ByteReader, kind: number, from: number): number {
  if (kind === TRAILER) return from + 1
  if (kind === EXTENSION) return endOfSubBlocks(reader, from + 2)
  if (kind !== IMAGE) throw damagedImage()
  // After the palette comes one byte, the size of codes.
  return endOfSubBlocks(reader, from + IMAGE_SIZE + paletteSize(reader.u8(from + 9)) + 1)
}

function endOfSubBlocks(reader: ByteReader, from: number): number {
  let at = from
  for (let size = reader.u8(at); size !== 0; size = reader.u8(at)) at += size + 1
  return at + 1
}

/** Bytes of a colour table, from the flags of a screen or an image. */
function paletteSize(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

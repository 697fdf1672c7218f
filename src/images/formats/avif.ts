import { damagedImage } from '../image-error.ts'
import { type ByteReader, byteReader } from './bytes.ts'
import type { FormatReader } from './image-header.ts'
import { type Box, boxesIn, itemExtents, itemTypes, metaBox, propertiesOf } from './iso-boxes.ts'

const ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'
/** Boxes of a file that are needed to show it. The bytes of others are set to zero, so that offsets stay true. */
const KEPT = new Set(['ftyp', 'meta', 'mdat', 'moov'])
/** Kinds of items that describe an image: EXIF, and XMP or others by a media type. */
const METADATA = new Set(['Exif', 'mime', 'uri '])

/** AV1 Image File Format 1.1, in boxes of ISO/IEC 14496-12 and 23008-12. */
export const AVIF: FormatReader = {
  matches(bytes) {
    const { text, length } = byteReader(bytes)
    return length > 16 && text(4, 4) === 'ftyp' && brands(bytes).some((brand) => /^avi[fs]$/.test(brand))
  },

  header(bytes) {
    const reader = byteReader(bytes)
    const meta = metaBox(reader)
    // Rejects a file without all bytes of its items.
    itemExtents(reader, meta)
    const properties = propertiesOf(reader, meta)
    const size = properties.primary.find(({ type }) => type === 'ispe')
    if (size === undefined) throw damagedImage()
    const rotation = properties.primary.find(({ type }) => type === 'irot')
    const turned = rotation !== undefined && (reader.u8(rotation.body) & 1) === 1
    const [width, height] = [reader.u32(size.body + 4), reader.u32(size.body + 8)]
    return {
      format: 'avif',
      // Decoders apply this rotation, which is a property of the image and no metadata.
      width: turned ? height : width,
      height: turned ? width : height,
      orientation: 1,
      frames: brands(bytes).includes('avis') && topBoxes(reader).some(({ type }) => type === 'moov') ? 2 : 1,
      alpha: properties.all.some((box) => isAlpha(reader, box)),
    }
  },

  stripped(bytes) {
    const reader = byteReader(bytes)
    const clean = Buffer.from(bytes)
    const meta = metaBox(reader)
    const types = itemTypes(reader, meta)
    for (const { item, from, to } of itemExtents(reader, meta))
      if (METADATA.has(types.get(item) ?? '')) clean.fill(0, from, to)
    for (const { type, body, to } of topBoxes(reader)) if (!KEPT.has(type)) clean.fill(0, body, to)
    return clean
  },
}

function topBoxes(reader: ByteReader): readonly Box[] {
  return boxesIn(reader, 0, reader.length)
}

function brands(bytes: Uint8Array): readonly string[] {
  const { u32, text, length } = byteReader(bytes)
  const end = Math.min(u32(0), length)
  const compatible = Array.from({ length: Math.max(0, Math.floor((end - 16) / 4)) }, (_, index) =>
    text(16 + 4 * index, 4),
  )
  return [text(8, 4), ...compatible]
}

function isAlpha(reader: ByteReader, { type, body, to }: Box): boolean {
  return type === 'auxC' && reader.text(body + 4, to - body - 4).startsWith(ALPHA)
}

import { damagedImage } from '../image-error.ts'
import type { ByteReader } from './bytes.ts'

/** A box of ISO/IEC 14496-12: a size, a type, and bytes that may be boxes again. */
export interface Box {
  readonly type: string
  /** Offsets of the start and end of its contents. */
  readonly body: number
  readonly to: number
}

/** Version and flags at the start of many boxes. */
const VERSION = 4
/** Maximum number of boxes and items: an image has some dozen. */
const MAX_COUNT = 4_096

export function boxesIn(reader: ByteReader, from: number, end: number): readonly Box[] {
  const boxes: Box[] = []
  for (let at = from; at < end; ) {
    if (boxes.length === MAX_COUNT) throw damagedImage()
    const short = reader.u32(at)
    const body = short === 1 ? at + 16 : at + 8
    const size = short === 1 ? reader.sized(at + 8, 8) : short
    const to = size === 0 ? end : at + size
    if (to < body || to > end) throw damagedImage()
    boxes.push({ type: reader.text(at + 4, 4), body, to })
    at = to
  }
  return boxes
}

export function metaBox(reader: ByteReader): readonly Box[] {
  const { body, to } = boxNamed(boxesIn(reader, 0, reader.length), 'meta')
  return boxesIn(reader, body + VERSION, to)
}

function boxNamed(boxes: readonly Box[], type: string): Box {
  const box = boxes.find((candidate) => candidate.type === type)
  if (box === undefined) throw damagedImage()
  return box
}

/** The properties of all items of the file, and of the primary image. */
export function propertiesOf(
  reader: ByteReader,
  meta: readonly Box[],
): { readonly all: readonly Box[]; readonly primary: readonly Box[] } {
  const pitm = boxNamed(meta, 'pitm')
  const shown = reader.u8(pitm.body) === 0 ? reader.u16(pitm.body + VERSION) : reader.u32(pitm.body + VERSION)
  const iprp = boxNamed(meta, 'iprp')
  const groups = boxesIn(reader, iprp.body, iprp.to)
  const ipco = boxNamed(groups, 'ipco')
  const all = boxesIn(reader, ipco.body, ipco.to)
  const indexes = groups
    .filter(({ type }) => type === 'ipma')
    .flatMap((box) => associations(reader, box, shown))
  return { all, primary: indexes.flatMap((index) => all[index - 1] ?? []) }
}

function associations(reader: ByteReader, { body }: Box, shown: number): readonly number[] {
  const version = reader.u8(body)
  const isWide = (reader.u8(body + 3) & 1) === 1
  const count = reader.u32(body + VERSION)
  if (count > MAX_COUNT) throw damagedImage()
  let at = body + 8
  for (let entry = 0; entry < count; entry += 1) {
    const item = version < 1 ? reader.u16(at) : reader.u32(at)
    at += version < 1 ? 2 : 4
    const length = reader.u8(at)
    at += 1
    const indexes = Array.from({ length }, (_, index) =>
      isWide ? reader.u16(at + 2 * index) & 0x7fff : reader.u8(at + index) & 0x7f,
    )
    if (item === shown) return indexes
    at += length * (isWide ? 2 : 1)
  }
  return []
}

/** The kinds of items by id, such as `av01` or `Exif`. */
export function itemTypes(reader: ByteReader, meta: readonly Box[]): ReadonlyMap<number, string> {
  const iinf = meta.find(({ type }) => type === 'iinf')
  if (iinf === undefined) return new Map()
  const start = iinf.body + VERSION + (reader.u8(iinf.body) === 0 ? 2 : 4)
  const entries = boxesIn(reader, start, iinf.to).filter(({ type }) => type === 'infe')
  return new Map(
    entries.map(({ body }) => {
      const isWide = reader.u8(body) >= 3
      const id = isWide ? reader.u32(body + VERSION) : reader.u16(body + VERSION)
      return [id, reader.text(body + VERSION + (isWide ? 6 : 4), 4)] as const
    }),
  )
}

interface Extent {
  readonly item: number
  /** Offsets in the file. */
  readonly from: number
  readonly to: number
}

/** Returns the positions of each item's bytes. */
export function itemExtents(reader: ByteReader, meta: readonly Box[]): readonly Extent[] {
  const iloc = meta.find(({ type }) => type === 'iloc')
  if (iloc === undefined) return []
  const idat = meta.find(({ type }) => type === 'idat')
  const version = reader.u8(iloc.body)
  const [sizes, more] = [reader.u8(iloc.body + 4), reader.u8(iloc.body + 5)]
  const size = { offset: sizes >> 4, length: sizes & 15, base: more >> 4, index: version > 0 ? more & 15 : 0 }
  const wide = version < 2 ? 2 : 4
  const number = (at: number) => (wide === 2 ? reader.u16(at) : reader.u32(at))
  const count = number(iloc.body + 6)
  if (count > MAX_COUNT) throw damagedImage()
  const extents: Extent[] = []
  let at = iloc.body + 6 + wide
  for (let entry = 0; entry < count; entry += 1) {
    const item = number(at)
    at += wide
    const isInIdat = version > 0 && (reader.u16(at) & 15) === 1
    at += version > 0 ? 4 : 2
    const base = reader.sized(at, size.base) + (isInIdat ? (idat?.body ?? 0) : 0)
    at += size.base
    const parts = reader.u16(at)
    if (extents.length + parts > MAX_COUNT) throw damagedImage()
    at += 2
    for (let part = 0; part < parts; part += 1) {
      at += size.index
      const from = base + reader.sized(at, size.offset)
      const to = from + reader.sized(at + size.offset, size.length)
      reader.slice(from, to)
      at += size.offset + size.length
      extents.push({ item, from, to })
    }
  }
  return extents
}

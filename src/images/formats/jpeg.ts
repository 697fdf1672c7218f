import { badImage, damagedImage } from '../image-error.ts'
import { type ByteReader, byteReader } from './bytes.ts'
import { exifOrientation, orientationSegment } from './exif.ts'
import type { FormatReader } from './image-header.ts'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const COM = 0xfe
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const APP15 = 0xef

/** Programs write some dozen scans of a progressive image. Each one is decoded over all of its pixels. */
const MAX_SCANS = 200

/** Start of frame: the size of the image. C4, C8 and CC are other segments. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

interface Segment {
  readonly marker: number
  readonly from: number
  readonly to: number
  /** Offset of its payload. */
  readonly body: number
}

/** ITU-T T.81, annex B. */
export const JPEG: FormatReader = {
  matches: (bytes) => bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff,

  header(bytes) {
    const reader = byteReader(bytes)
    let size: { readonly width: number; readonly height: number } | null = null
    let orientation = 1
    for (const { marker, body, to } of segments(reader)) {
      if (isFrame(marker)) size ??= { height: reader.u16(body + 1), width: reader.u16(body + 3) }
      if (marker === APP1 && reader.text(body, 6) === 'Exif\0\0')
        orientation = exifOrientation(reader.slice(body, to))
    }
    if (size === null) throw damagedImage()
    return { format: 'jpeg', ...size, orientation, frames: 1, alpha: false }
  },

  stripped(bytes, orientation) {
    const reader = byteReader(bytes)
    const kept = [...segments(reader)].filter((segment) => isKept(reader, segment))
    return Buffer.concat([
      reader.slice(0, 2),
      ...(orientation === 1 ? [] : [orientationSegment(orientation)]),
      ...kept.map(({ from, to }) => reader.slice(from, to)),
    ])
  },
}

/** Reports whether decoding needs the segment, or it is the colour profile. */
function isKept(reader: ByteReader, { marker, body }: Segment): boolean {
  if (marker === COM) return false
  if (marker < APP0 || marker > APP15) return true
  if (marker === APP0) return reader.text(body, 5) === 'JFIF\0'
  if (marker === APP2) return reader.text(body, 12) === 'ICC_PROFILE\0'
  return marker === APP14 && reader.text(body, 5) === 'Adobe'
}

/** The segments after the start of the image up to its end; scans include their entropy-coded data. */
function* segments(reader: ByteReader): Generator<Segment> {
  let at = 2
  let scans = 0
  for (;;) {
    if (reader.u8(at) !== 0xff) throw damagedImage()
    const marker = reader.u8(at + 1)
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === EOI) {
      if (scans === 0) throw damagedImage()
      yield { marker, from: at, to: at + 2, body: at + 2 }
      return
    }
    const length = reader.u16(at + 2)
    if (length < 2) throw damagedImage()
    const end = at + 2 + length
    if (marker === SOS) scans += 1
    if (scans > MAX_SCANS)
      throw badImage(`The JPEG has more than ${MAX_SCANS} scans. Save it again, not progressive.`)
    const to = marker === SOS ? endOfScan(reader, end) : end
    reader.slice(at, to)
    yield { marker, from: at, to, body: at + 4 }
    at = to
  }
}

function endOfScan(reader: ByteReader, from: number): number {
  const bytes = reader.slice(Math.min(from, reader.length), reader.length)
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && !isRestart(next)) return from + at
  }
  throw damagedImage()
}

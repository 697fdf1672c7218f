import { crc32, deflateSync } from 'node:zlib'
import type { IconColour } from './draw-icon.ts'

/** Pixels that are numbers of colours, row by row, as a PNG. */
export function pngOf(pixels: Uint8Array, side: number, colours: readonly IconColour[]): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // 8 bits that are numbers of colours.
  header.set([8, 3, 0, 0, 0], 8)
  const rows = Buffer.alloc((side + 1) * side)
  // Each row begins with its filter: none, which is best for numbers of colours.
  for (let row = 0; row < side; row++)
    rows.set(pixels.subarray(side * row, side * (row + 1)), (side + 1) * row + 1)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flatMap(({ colour }) => colour))),
    chunk('tRNS', Buffer.from(colours.map(({ opacity }) => opacity))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.byteLength + 8)
  framed.writeUInt32BE(data.byteLength, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.byteLength + 4)
  return framed
}

const HEADER_BYTES = 6
const ENTRY_BYTES = 16

/** An ICO file of PNGs, which everything has read since 2007. Sides of at most 255 pixels. */
export function icoOf(pngs: readonly { readonly side: number; readonly png: Uint8Array }[]): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pngs.length, 4)
  let offset = HEADER_BYTES + ENTRY_BYTES * pngs.length
  const entries = pngs.map(({ side, png }) => {
    const entry = Buffer.alloc(ENTRY_BYTES)
    entry.set([side, side, 0, 0, 1, 0, 32, 0])
    entry.writeUInt32LE(png.byteLength, 8)
    entry.writeUInt32LE(offset, 12)
    offset += png.byteLength
    return entry
  })
  return Buffer.concat([header, ...entries, ...pngs.map(({ png }) => png)])
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Reports whether fonts have a glyph for a code point. */
export type Covers = (codePoint: number) => boolean

/** Reads which characters the fonts of a folder can draw. */
export async function fontCoverage(folder: string): Promise<Covers> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ttf'))
  const fonts = await Promise.all(names.map((name) => readFile(join(folder, name))))
  const ranges = fonts.flatMap(characterRanges)
  return (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last)
}

type Range = readonly [first: number, last: number]

/** Source: https://learn.microsoft.com/en-us/typography/opentype/spec/cmap */
function characterRanges(font: Buffer): readonly Range[] {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index)
  const record = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')
  if (record === undefined) return []
  const cmap = font.subarray(font.readUInt32BE(record + 8))
  return Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(8 * index + 8)),
  ).flatMap((table) => {
    const format = table.readUInt16BE(0)
    return format === 4 ? segments(table) : format === 12 ? groups(table) : []
  })
}

/** Format 4. The last segment ends the list. */
function segments(table: Buffer): readonly Range[] {
  const bytes = table.readUInt16BE(6)
  return Array.from({ length: bytes / 2 - 1 }, (_, index): Range => {
    const end = 14 + 2 * index
    return [table.readUInt16BE(end + bytes + 2), table.readUInt16BE(end)]
  })
}

/** Format 12. */
function groups(table: Buffer): readonly Range[] {
  return Array.from({ length: table.readUInt32BE(12) }, (_, index): Range => {
    const start = 16 + 12 * index
    return [table.readUInt32BE(start), table.readUInt32BE(start + 4)]
  })
}

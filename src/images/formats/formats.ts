import type { ImageFormat } from '../../domain/image.ts'
import { badImage } from '../image-error.ts'
import { AVIF } from './avif.ts'
import { GIF } from './gif.ts'
import type { FormatReader } from './image-header.ts'
import { JPEG } from './jpeg.ts'
import { PNG } from './png.ts'
import { WEBP } from './webp.ts'

type RasterFormat = Exclude<ImageFormat, 'svg'>

const READERS: Readonly<Record<RasterFormat, FormatReader>> = {
  jpeg: JPEG,
  png: PNG,
  gif: GIF,
  webp: WEBP,
  avif: AVIF,
}

/** Bytes at the start of a file within which an SVG has its first tag: after comments of the program that saved it. */
const SVG_PROLOGUE = 8_192

/** The format that the bytes are of; null for none that is shown on pages. */
function formatOf(bytes: Uint8Array): ImageFormat | null {
  const raster = Object.entries(READERS).find(([, reader]) => reader.matches(bytes))
  if (raster !== undefined) return raster[0] as RasterFormat
  return isSvg(bytes) ? 'svg' : null
}

/** @throws {ServiceError} for bytes that no page shows as an image. */
export function knownFormatOf(bytes: Uint8Array): ImageFormat {
  const format = formatOf(bytes)
  if (format !== null) return format
  throw badImage(
    'The file is no JPEG, PNG, GIF, WebP, AVIF or SVG: its first bytes are those of another type.',
  )
}

export function readerOf(format: RasterFormat): FormatReader {
  return READERS[format]
}

/** Reports whether the first element is `svg`, after at most an XML declaration, comments and a document type. */
function isSvg(bytes: Uint8Array): boolean {
  let text = Buffer.from(bytes.subarray(0, SVG_PROLOGUE))
    .toString('utf8')
    .replace(/^\ufeff/, '')
  for (;;) {
    text = text.trimStart()
    if (/^<svg[\s/>]/.test(text)) return true
    const end = ['<?', '<!--', '<!'].find((start) => text.startsWith(start))
    if (end === undefined) return false
    const close = { '<?': '?>', '<!--': '-->', '<!': documentTypeEnd(text) }[end] ?? '>'
    const at = text.indexOf(close)
    if (at === -1) return false
    text = text.slice(at + close.length)
  }
}

/** A document type with declarations of its own ends after their bracket. */
function documentTypeEnd(text: string): string {
  return /^<![^>[]*\[/.test(text) ? ']>' : '>'
}

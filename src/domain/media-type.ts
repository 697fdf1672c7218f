export const ASSET_KINDS = ['image', 'video', 'audio', 'font', 'document', 'other'] as const
export type AssetKind = (typeof ASSET_KINDS)[number]

/** The type of a file by its bytes. */
export interface DetectedType {
  readonly kind: AssetKind
  readonly contentType: string
}

/** Bytes from the start of a file that the detection needs. */
export const HEAD_BYTES = 4096

/** Served as an attachment: HTML, scripts, XML and what is unknown would otherwise run with the rights of a site. */
const UNKNOWN: DetectedType = { kind: 'other', contentType: 'application/octet-stream' }

/** A text that browsers only show. */
const PLAIN: DetectedType = { kind: 'document', contentType: 'text/plain; charset=utf-8' }

interface Signature {
  readonly type: DetectedType
  /** The bytes of the file at an offset, as Latin-1. */
  readonly at: readonly (readonly [number, string])[]
}

const SIGNATURES: readonly Signature[] = [
  signature('image', 'image/jpeg', [0, '\xff\xd8\xff']),
  signature('image', 'image/png', [0, '\x89PNG\r\n\x1a\n']),
  signature('image', 'image/gif', [0, 'GIF87a']),
  signature('image', 'image/gif', [0, 'GIF89a']),
  signature('image', 'image/webp', [0, 'RIFF'], [8, 'WEBP']),
  signature('audio', 'audio/wav', [0, 'RIFF'], [8, 'WAVE']),
  signature('font', 'font/woff2', [0, 'wOF2']),
  signature('font', 'font/woff', [0, 'wOFF']),
  signature('font', 'font/otf', [0, 'OTTO']),
  signature('font', 'font/ttf', [0, '\0\x01\0\0\0']),
  signature('audio', 'audio/mpeg', [0, 'ID3']),
  signature('audio', 'audio/flac', [0, 'fLaC']),
  signature('audio', 'audio/midi', [0, 'MThd']),
  signature('document', 'application/pdf', [0, '%PDF-']),
  signature('document', 'application/rtf', [0, '{\\rtf']),
  signature('document', 'application/epub+zip', [0, 'PK\x03\x04'], [30, 'mimetypeapplication/epub+zip']),
  ...['text', 'spreadsheet', 'presentation'].map((what) =>
    signature(
      'document',
      `application/vnd.oasis.opendocument.${what}`,
      [0, 'PK\x03\x04'],
      [30, `mimetypeapplication/vnd.oasis.opendocument.${what}`],
    ),
  ),
  signature('other', 'application/zip', [0, 'PK\x03\x04']),
  signature('other', 'application/zip', [0, 'PK\x05\x06']),
  signature('other', 'application/gzip', [0, '\x1f\x8b']),
  signature('other', 'application/x-bzip2', [0, 'BZh']),
  signature('other', 'application/x-xz', [0, '\xfd7zXZ\0']),
  signature('other', 'application/zstd', [0, '(\xb5/\xfd']),
  signature('other', 'application/x-7z-compressed', [0, "7z\xbc\xaf'\x1c"]),
  signature('other', 'application/x-tar', [257, 'ustar']),
]

/**
 * Texts that browsers show or hand to a program, whatever is in them. Their bytes do not tell them apart. A style sheet
 * does nothing by itself: the page that it belongs to names it.
 */
const INERT_TEXTS: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  vcf: 'text/vcard; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** Office documents are ZIP archives: their first bytes do not tell which kind of document it is. */
const OFFICE: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

/**
 * Detects what a file is from its first bytes. The name only chooses between types that are equally harmless: kinds of
 * plain text, and kinds of archives.
 *
 * @param head the first `HEAD_BYTES` of the file, or all of it.
 */
export function detectType(head: Uint8Array, name: string): DetectedType {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES)).toString(
    'latin1',
  )
  const found = SIGNATURES.find(({ at }) => at.every(([offset, text]) => bytes.startsWith(text, offset)))
  const type = found?.type ?? boxType(bytes) ?? matroskaType(bytes) ?? oggType(bytes) ?? mpegType(bytes)
  if (type === undefined) return textType(head, name)
  return type.contentType === 'application/zip' ? archiveType(bytes, name) : type
}

function signature(kind: AssetKind, contentType: string, ...at: Signature['at']): Signature {
  return { type: { kind, contentType }, at }
}

/** ISO base media files (MP4, M4A, AVIF, HEIC): boxes, the first of which names the brand. */
function boxType(bytes: string): DetectedType | undefined {
  if (!bytes.startsWith('ftyp', 4)) return undefined
  const brand = bytes.slice(8, 12)
  const brands = bytes.slice(8, 64)
  if (/^(avif|avis)/.test(brand) || (/^(mif1|msf1)/.test(brand) && /avif|avis/.test(brands)))
    return { kind: 'image', contentType: 'image/avif' }
  // Browsers do not show it.
  if (/^(heic|heix|heim|heis|hevc|mif1|msf1)/.test(brand)) return { kind: 'other', contentType: 'image/heic' }
  if (/^(M4A|M4B)/.test(brand)) return { kind: 'audio', contentType: 'audio/mp4' }
  if (brand === 'qt  ') return { kind: 'video', contentType: 'video/quicktime' }
  return { kind: 'video', contentType: 'video/mp4' }
}

function matroskaType(bytes: string): DetectedType | undefined {
  if (!bytes.startsWith('\x1a\x45\xdf\xa3')) return undefined
  return bytes.slice(0, 64).includes('webm') ? { kind: 'video', contentType: 'video/webm' } : UNKNOWN
}

function oggType(bytes: string): DetectedType | undefined {
  if (!bytes.startsWith('OggS')) return undefined
  return bytes.slice(0, 128).includes('\x80theora')
    ? { kind: 'video', contentType: 'video/ogg' }
    : { kind: 'audio', contentType: 'audio/ogg' }
}

/** Frames of MPEG sound without a tag: eleven set bits, a layer, and a bit rate and sampling rate that exist. */
function mpegType(bytes: string): DetectedType | undefined {
  const [first = 0, second = 0, third = 0] = [0, 1, 2].map((index) => bytes.charCodeAt(index) || 0)
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined
  if ((second & 0xf6) === 0xf0) return { kind: 'audio', contentType: 'audio/aac' }
  const isFrame =
    (second & 0x18) !== 0x08 && (second & 0x06) !== 0 && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c
  return isFrame ? { kind: 'audio', contentType: 'audio/mpeg' } : undefined
}

function archiveType(bytes: string, name: string): DetectedType {
  // The first file of a USDZ archive is its scene.
  if (extensionOf(name) === 'usdz' && /^[^\0]{1,255}\.usd[ac]?/.test(bytes.slice(30)))
    return { kind: 'other', contentType: 'model/vnd.usdz+zip' }
  const office = OFFICE[extensionOf(name)]
  const isOffice = /\[Content_Types\]\.xml|_rels\/|docProps\//.test(bytes)
  return office !== undefined && isOffice
    ? { kind: 'document', contentType: office }
    : { kind: 'other', contentType: 'application/zip' }
}

function textType(head: Uint8Array, name: string): DetectedType {
  const text = readText(head)
  if (text === null || text.trim() === '') return UNKNOWN
  const start = text.replace(/^\ufeff/, '').trimStart()
  if (start.startsWith('WEBVTT')) return { kind: 'document', contentType: 'text/vtt; charset=utf-8' }
  if (isSvg(start)) return { kind: 'image', contentType: 'image/svg+xml' }
  if (isActive(start)) return UNKNOWN
  const inert = INERT_TEXTS[extensionOf(name)]
  return inert === undefined ? PLAIN : { kind: 'document', contentType: inert }
}

/** UTF-8 without control characters; the last character may be cut. Null for anything else. */
function readText(head: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      head.subarray(0, HEAD_BYTES),
      {
        stream: true,
      },
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: binary files have them.
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? null : text
  } catch {
    return null
  }
}

/** The root element is `svg`, after an XML declaration, comments, processing instructions and a document type. */
function isSvg(start: string): boolean {
  const prolog = /^(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\])?[^>]*>|\s+)*/i.exec(
    start,
  )
  return /^<(?:svg:)?svg[\s/>]/i.test(start.slice(prolog?.[0].length))
}

/**
 * Reports whether a text is markup from its start, contains an element of a document that runs, or is a script with a
 * shebang.
 */
function isActive(start: string): boolean {
  return /^(?:#!|<)/.test(start) || /<(?:script|html|head|body|iframe|object|embed|svg)[\s/>]/i.test(start)
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
}

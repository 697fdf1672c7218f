import { MEDIA_PREFIX } from './media.ts'

/** Order of uploads. Nothing live references an object that is not uploaded yet. */
export const STAGES = ['asset', 'page', 'listing', 'index', 'manifest'] as const
export type Stage = (typeof STAGES)[number]

/** Owner of an object: only the owner may replace or delete it. */
export type OwnerKind =
  | 'page'
  | 'redirect'
  | 'site-redirect'
  | 'listing'
  | 'nav'
  | 'search'
  | 'site'
  | 'media'

export interface Owner {
  readonly kind: OwnerKind
  /**
   * The page's id for `page` and `redirect`, the key of the copied object or nothing for `site-redirect`, the subroute
   * for `listing` and `nav`, otherwise empty.
   */
  readonly id: string
}

/** One file of a site, ready to be stored. */
export interface Artifact {
  /** Relative to the project's prefix, e.g. `docs/install/index.html`. */
  readonly key: string
  readonly stage: Stage
  /** Empty if the body is in a spill file, in the media store, or that of another object. */
  readonly body: Uint8Array
  readonly owner: Owner
  /** Set if a build has written the body to a temporary file, from which it moves it into place. */
  readonly spilled?: SpilledBody
  /** Set if the body is an original in the media store, from which a publish copies it. */
  readonly original?: OriginalBody
  /** Set if the body is copied from another object of the site by a publish. */
  readonly copied?: CopiedBody
}

export interface CopiedBody extends OriginalBody {
  /** Key of the other object. */
  readonly key: string
}

export interface OriginalBody {
  /** SHA-256, hex. */
  readonly digest: string
  /** In bytes. */
  readonly size: number
}

export interface SpilledBody {
  /** Absolute path of the spill folder. The file's path in it is the artifact's key. */
  readonly folder: string
  /** SHA-256, hex. */
  readonly digest: string
  /** In bytes. */
  readonly size: number
}

/** The path of an artifact's spill file. */
export function spillFile({ key }: Pick<Artifact, 'key'>, { folder }: Pick<SpilledBody, 'folder'>): string {
  return `${folder}/${key}`
}

/** The size of the body in bytes. */
export function sizeOf(artifact: Artifact): number {
  return (artifact.spilled ?? artifact.original ?? artifact.copied)?.size ?? artifact.body.byteLength
}

/** Headers of a stored object. A pure function of its key, so all storage adapters agree. */
export interface ObjectHeaders {
  readonly contentType: string
  readonly cacheControl: string
  /** Coding of the bytes as they are stored; absent for none. */
  readonly contentEncoding?: 'gzip'
}

/**
 * Content types by extension. A table of our own, because the headers are part of the digest of each object: with a
 * new version of a library, every site would upload files again, or serve them with other types.
 *
 * Text has a charset, since browsers would guess one. Types that are not here are downloaded.
 */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  // Text.
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  xhtml: 'application/xhtml+xml; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  asc: 'text/plain; charset=utf-8',
  log: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  cjs: 'text/javascript; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  vcf: 'text/vcard; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
  yml: 'application/yaml; charset=utf-8',
  toml: 'application/toml; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  xsl: 'application/xslt+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  // Data. JSON is UTF-8 by definition, but some clients guess.
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  jsonld: 'application/ld+json; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  gpx: 'application/gpx+xml; charset=utf-8',
  kml: 'application/vnd.google-earth.kml+xml; charset=utf-8',
  kmz: 'application/vnd.google-earth.kmz',
  parquet: 'application/vnd.apache.parquet',
  sqlite: 'application/vnd.sqlite3',
  wasm: 'application/wasm',
  // Images.
  svg: 'image/svg+xml',
  svgz: 'image/svg+xml',
  png: 'image/png',
  apng: 'image/apng',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  jxl: 'image/jxl',
  heic: 'image/heic',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  ico: 'image/x-icon',
  // Fonts.
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  eot: 'application/vnd.ms-fontobject',
  // Sound and video.
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  weba: 'audio/webm',
  mid: 'audio/midi',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  // Documents.
  pdf: 'application/pdf',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json; charset=utf-8',
  usdz: 'model/vnd.usdz+zip',
  // Archives.
  zip: 'application/zip',
  gz: 'application/gzip',
  tgz: 'application/gzip',
  tar: 'application/x-tar',
  bz2: 'application/x-bzip2',
  xz: 'application/x-xz',
  zst: 'application/zstd',
  '7z': 'application/x-7z-compressed',
}

/** Content types of names without an extension, which hosts, apps or users request. */
const NAMED_TYPES: Readonly<Record<string, string>> = {
  'apple-app-site-association': 'application/json; charset=utf-8',
  ...Object.fromEntries(
    [
      'authors',
      'changelog',
      'cname',
      'copying',
      'licence',
      'license',
      'notice',
      'readme',
      '_headers',
      '_redirects',
    ].map((name) => [name, 'text/plain; charset=utf-8']),
  ),
}

/** Prefix of the keys of files of themes, relative to the project. */
export const ASSET_PREFIX = '_assets/'

/** Prefixes of the keys of files that pages share. Their names say what is in them. */
export const SHARED_PREFIXES: readonly string[] = [ASSET_PREFIX, MEDIA_PREFIX]

/**
 * Reports whether the object is shared: it stays while a live page shows it, and a day longer.
 *
 * @param key relative to the project's prefix.
 */
export function isSharedKey(key: string): boolean {
  return SHARED_PREFIXES.some((prefix) => key.startsWith(prefix))
}

/** Names in these folders carry a digest, so that their bytes never change. */
const IMMUTABLE = /(^|\/)_(assets|media)\//

/** @param key with or without the project's prefix. */
export function objectHeaders(key: string): ObjectHeaders {
  return {
    contentType: contentTypeOf(key.slice(key.lastIndexOf('/') + 1).toLowerCase()),
    cacheControl: IMMUTABLE.test(key)
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=0, must-revalidate',
    // Drawings compressed by the program that wrote them; browsers read them as coded SVG only.
    ...(key.toLowerCase().endsWith('.svgz') && { contentEncoding: 'gzip' as const }),
  }
}

/** @param name of the file, in lower case. */
function contentTypeOf(name: string): string {
  if (name === 'feed.xml') return 'application/atom+xml; charset=utf-8'
  const type = name.includes('.')
    ? own(CONTENT_TYPES, name.slice(name.lastIndexOf('.') + 1))
    : own(NAMED_TYPES, name)
  return type ?? 'application/octet-stream'
}

/** The extension whose content type this is; `bin` for types that are downloaded. */
export function extensionOf(contentType: string): string {
  return Object.keys(CONTENT_TYPES).find((extension) => CONTENT_TYPES[extension] === contentType) ?? 'bin'
}

function own(types: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined
}

/** Order of uploads. Nothing live references an object that is not uploaded yet. */
export const STAGES = ['asset', 'page', 'listing', 'index', 'manifest'] as const
export type Stage = (typeof STAGES)[number]

/** Owner of an object: only the owner may replace or delete it. */
export type OwnerKind = 'page' | 'redirect' | 'listing' | 'nav' | 'search' | 'site'

export interface Owner {
  readonly kind: OwnerKind
  /** The page's id for `page` and `redirect`, the subroute for `listing` and `nav`, empty for `search` and `site`. */
  readonly id: string
}

/** One file of a site, ready to be stored. */
export interface Artifact {
  /** Relative to the project's prefix, e.g. `docs/install/index.html`. */
  readonly key: string
  readonly stage: Stage
  /** Empty if the body is in a spill file. */
  readonly body: Uint8Array
  readonly owner: Owner
  /** Set if a build has written the body to a temporary file, from which it moves it into place. */
  readonly spilled?: SpilledBody
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
  return artifact.spilled?.size ?? artifact.body.byteLength
}

/** Headers of a stored object. A pure function of its key, so all storage adapters agree. */
export interface ObjectHeaders {
  readonly contentType: string
  readonly cacheControl: string
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  pdf: 'application/pdf',
  zip: 'application/zip',
  wasm: 'application/wasm',
}

/** Prefix of the keys of assets, relative to the project. */
export const ASSET_PREFIX = '_assets/'

/** @param key relative to the project's prefix. */
export function isAssetKey(key: string): boolean {
  return key.startsWith(ASSET_PREFIX)
}

const ASSET = /(^|\/)_assets\//

/** @param key with or without the project's prefix. */
export function objectHeaders(key: string): ObjectHeaders {
  const extension = key.slice(key.lastIndexOf('.') + 1).toLowerCase()
  const feed = /(^|\/)feed\.xml$/.test(key)
  return {
    contentType: feed
      ? 'application/atom+xml; charset=utf-8'
      : (CONTENT_TYPES[extension] ?? 'application/octet-stream'),
    cacheControl: ASSET.test(key)
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=0, must-revalidate',
  }
}

import { messageOf } from '../domain/errors.ts'

// The package is optional, so its used types are declared here: the program compiles without it.

export interface Sharp {
  (input: Uint8Array, options?: SharpOptions | { readonly raw: RawPixels }): SharpImage
  (made: { readonly create: BlankImage } | { readonly text: TextImage }): SharpImage
  concurrency(threads: number): void
  cache(options: false): void
  block(options: { readonly operation: readonly string[] }): void
  unblock(options: { readonly operation: readonly string[] }): void
}

interface SharpOptions {
  readonly failOn: 'error'
  readonly limitInputPixels: number
  readonly animated: boolean
}

export interface BlankImage {
  readonly width: number
  readonly height: number
  readonly channels: 3
  readonly background: string
}

/** See sharp.pixelplumbing.com/api-constructor: text in Pango's markup, laid out in a column of a width in pixels. */
export interface TextImage {
  readonly text: string
  readonly font: string
  readonly dpi: number
  readonly width: number
  readonly rgba: true
  readonly wrap: 'word-char'
}

interface RawPixels {
  readonly width: number
  readonly height: number
  readonly channels: number
}

export interface SharpImage {
  metadata(): Promise<{
    readonly icc?: Uint8Array
    readonly space: string
    readonly chromaSubsampling?: string
  }>
  autoOrient(): SharpImage
  resize(size: {
    readonly width: number
    readonly height?: number
    readonly fit?: 'inside' | 'fill'
    readonly withoutEnlargement?: boolean
  }): SharpImage
  extract(box: {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }): SharpImage
  composite(
    images: readonly {
      readonly input: Uint8Array | { readonly create: BlankImage }
      readonly left: number
      readonly top: number
    }[],
  ): SharpImage
  flatten(options: { readonly background: string }): SharpImage
  removeAlpha(): SharpImage
  toColourspace(space: 'srgb'): SharpImage
  ensureAlpha(): SharpImage
  keepIccProfile(): SharpImage
  raw(): SharpImage
  jpeg(options: { readonly quality: number; readonly chromaSubsampling: '4:4:4' | '4:2:0' }): SharpImage
  png(options?: { readonly compressionLevel?: number }): SharpImage
  webp(options: { readonly quality: number; readonly effort?: number }): SharpImage
  avif(options: { readonly quality: number; readonly effort: number }): SharpImage
  toBuffer(): Promise<Buffer>
  toBuffer(options: { readonly resolveWithObject: true }): Promise<{
    readonly data: Buffer
    readonly info: RawPixels & { readonly pageHeight?: number }
  }>
}

interface ThumbHash {
  rgbaToThumbHash(width: number, height: number, rgba: Uint8Array): Uint8Array
}

/** Names in variables: with literals, the compiler would look for the packages. */
const PACKAGES = { sharp: 'sharp', thumbhash: 'thumbhash' }

export async function loadSharp(): Promise<{ readonly sharp: Sharp } | { readonly reason: string }> {
  try {
    const { default: sharp } = (await import(PACKAGES.sharp)) as { readonly default: Sharp }
    return { sharp }
  } catch (error) {
    return { reason: messageOf(error) }
  }
}

export async function loadThumbHash(): Promise<ThumbHash | null> {
  try {
    return (await import(PACKAGES.thumbhash)) as ThumbHash
  } catch {
    // Pages do not need it.
    return null
  }
}

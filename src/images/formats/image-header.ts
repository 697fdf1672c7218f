import type { ImageFormat } from '../../domain/image.ts'

/** Facts from the structure of a file, without decoding its pixels. */
export interface ImageHeader {
  readonly format: ImageFormat
  /** In pixels, as stored. */
  readonly width: number
  readonly height: number
  /** 1 to 8 as in EXIF: 1 is upright, 5 to 8 are turned by 90°. */
  readonly orientation: number
  readonly frames: number
  readonly alpha: boolean
}

/** The structure of a file of one format. The functions of each format throw `damagedImage` where it is broken. */
export interface FormatReader {
  /** Reports whether the first bytes identify the format. */
  matches(bytes: Uint8Array): boolean
  header(bytes: Uint8Array): ImageHeader
  /**
   * Returns the file without metadata and without bytes after its end. Pixels and colour profile are copied unchanged.
   *
   * @param orientation the rotation left to browsers, for formats that can state it.
   */
  stripped(bytes: Uint8Array, orientation: number): Uint8Array
}

/** Returns the size as shown: width and height are exchanged for images turned by 90°. */
export function shownSize({ width, height, orientation }: ImageHeader): {
  readonly width: number
  readonly height: number
} {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

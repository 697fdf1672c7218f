import type { ImageFormat } from '../../domain/image.ts'

/** What the structure of a file says, without decoding its pixels. */
export interface ImageHeader {
  readonly format: ImageFormat
  /** In pixels, as stored. */
  readonly width: number
  readonly height: number
  /** 1 to 8 as in EXIF: 1 is upright, 5 to 8 lie on their sides. */
  readonly orientation: number
  readonly frames: number
  readonly alpha: boolean
}

/** The structure of a file of one format. The functions of each format throw `damagedImage` where it is broken. */
export interface FormatReader {
  /** Whether the first bytes are those of the format. */
  matches(bytes: Uint8Array): boolean
  header(bytes: Uint8Array): ImageHeader
  /**
   * The file without metadata and without bytes behind its end. Pixels and colour profile are copied as they are.
   *
   * @param orientation what is left to be applied by browsers, for formats that can say so.
   */
  stripped(bytes: Uint8Array, orientation: number): Uint8Array
}

/** As shown: pictures that lie on their sides have width and height exchanged. */
export function shownSize({ width, height, orientation }: ImageHeader): {
  readonly width: number
  readonly height: number
} {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

import { objectHeaders } from '../../domain/artifact.ts'
import { isPicture, isVideo, type MediaImage, type MediaSource } from '../../domain/media.ts'
import { urlPath } from '../../domain/route.ts'

/** An image or file of a page in Data Mode, as its payload describes it. */
export interface PayloadFile {
  readonly content_type: string
  /** Size of the plaintext. */
  readonly bytes: number
  /** SHA-256 of the plaintext, hex: readers compare it, so that no other sealed file is taken for this one. */
  readonly digest: string
  /** Width of an image or video in pixels; otherwise null. */
  readonly width: number | null
  readonly height: number | null
}

/** Includes its variants, by format, then width. */
export interface PayloadAsset extends PayloadFile {
  readonly variants: readonly PayloadFile[]
}

/** Files by their address in the HTML of the content: `/media/team/ada.jpg`. */
export type PayloadAssets = Readonly<Record<string, PayloadAsset>>

/** Returns the files that a page shows; null for none. */
export function payloadAssets(media: MediaSource | undefined): PayloadAssets | null {
  const shown = Object.entries(media ?? {}).flatMap(([path, file]) => {
    const { bytes, digest } = file
    if (bytes === undefined) return []
    const asset = {
      content_type: objectHeaders(file.key).contentType,
      bytes,
      digest,
      ...sizeOf(file),
      variants: isPicture(file) ? file.variants.flatMap(variantFile) : [],
    }
    return [[addressOf(path), asset] as const]
  })
  return shown.length === 0 ? null : Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * The files under the addresses that content names them by: clients put the bytes there. Images and videos have their
 * sizes.
 */
export function mediaByAddress(media: MediaSource | undefined): MediaSource | undefined {
  return (
    media &&
    Object.fromEntries(
      Object.entries(media).map(([path, file]) => [
        path,
        isPicture(file) ? { ...file, key: path, colour: null, variants: [] } : { ...file, key: path },
      ]),
    )
  )
}

function addressOf(path: string): string {
  return `/${urlPath(path)}`
}

function sizeOf(file: MediaSource[string]): Pick<PayloadFile, 'width' | 'height'> {
  return isPicture(file) || isVideo(file)
    ? { width: file.width, height: file.height }
    : { width: null, height: null }
}

function variantFile({ key, width, height, stored }: MediaImage['variants'][number]): readonly PayloadFile[] {
  if (stored === undefined) return []
  return [{ content_type: objectHeaders(key).contentType, ...stored, width, height }]
}

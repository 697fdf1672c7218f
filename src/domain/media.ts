import { type ImageFocus, type ImageVariant, RECIPE_VERSION, type VariantRecipe } from './image.ts'
import { MEDIA_PATH } from './media-name.ts'
import { normalForm } from './normal-form.ts'
import type { VideoSize } from './video.ts'

/** Prefix of the keys of published images and files, relative to the project. */
export const MEDIA_PREFIX = '_media/'

/** A file that pages name, as it was when the page was published. It is in the store next to the page's. */
export interface MediaFile {
  /** SHA-256 of the published original, hex. */
  readonly digest: string
  /** Key of the published original. */
  readonly key: string
  /**
   * Size in bytes of an original that a publish copies from the media store; absent where a build has written it
   * itself.
   */
  readonly bytes?: number
  /** Size in bytes of sound and videos that a build has written itself, for feeds. */
  readonly size?: number
}

/** A video that pages name, with its size. */
export type MediaVideo = MediaFile & VideoSize

/** An image that pages name. */
export interface MediaImage extends MediaFile {
  readonly width: number
  readonly height: number
  /** `#rrggbb`; null for none to show while the picture loads. */
  readonly colour: string | null
  /** The part that stays visible where a page shows a part of the image; absent for the middle. */
  readonly focus?: ImageFocus
  /** True for a drawing in dark colours only, as far as that is known. */
  readonly isDark?: boolean
  /** The existing variants, by format, then width. */
  readonly variants: readonly MediaVariant[]
}

export interface MediaVariant extends ImageVariant {
  readonly key: string
  /**
   * Stored bytes of a variant that a publish copies from the media store; absent where a build has written it itself.
   */
  readonly stored?: {
    /** SHA-256, hex. */
    readonly digest: string
    readonly bytes: number
  }
}

/**
 * Images and files for rendering: by path on the site without the leading slash, not encoded, as content names them. A
 * service reads them from the pins of a snapshot (`media/{name}`), a build from files next to pages. Plain JSON.
 */
export type MediaSource = Readonly<Record<string, MediaFile | MediaVideo | MediaImage>>

export function isPicture(file: MediaFile | MediaVideo | MediaImage): file is MediaImage {
  return 'variants' in file
}

export function isVideo(file: MediaFile | MediaVideo | MediaImage): file is MediaVideo {
  return 'width' in file && !isPicture(file)
}

/** The path on the site by which content names an asset of a service. */
export function mediaPath(name: string): string {
  return MEDIA_PATH.slice(1) + name
}

/** The file with this path on the site; null for none. */
export function fileAt(media: MediaSource | undefined, path: string): MediaSource[string] | null {
  return media !== undefined && Object.hasOwn(media, path) ? (media[path] ?? null) : null
}

/** The originals of the assets among these names; undefined when there is none. */
export function mediaNamed(
  media: MediaSource | undefined,
  names: readonly string[],
): MediaSource | undefined {
  const found = names.map(mediaPath).flatMap((path) => {
    const file = fileAt(media, path)
    return file?.bytes === undefined ? [] : [[path, file] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** Hex digits of a digest in a key: 64 bits, so that no two files of a site share one by chance. */
const HASH_LENGTH = 16
/** The longest stem in a key, in characters: the rest of the name is for the hash. */
const MAX_STEM = 60

/** `_media/{stem}.{hash}.{ext}`: the key of a published original. Another file has another key. */
export function mediaKey(name: string, digest: string, extension: string): string {
  return `${MEDIA_PREFIX}${stemOf(name)}.${digest.slice(0, HASH_LENGTH)}.${extension}`
}

/**
 * `_media/{stem}.{hash}-{width}.{format}`: the key of a published variant.
 *
 * @param digest of its bytes, or of its recipe (see `recipeText`): what is published under a key never changes.
 */
export function variantKey(name: string, digest: string, variant: Pick<VariantRecipe, 'width' | 'format'>) {
  return `${MEDIA_PREFIX}${stemOf(name)}.${digest.slice(0, HASH_LENGTH)}-${variant.width}.${variant.format}`
}

/**
 * `_media/{name}.bin`: the key of an image or file of a page in Data Mode. The keys of other files have a stem, so no
 * plain page ever shares an object with a sealed one.
 *
 * @param name of `sealedFileName`.
 */
export function sealedMediaKey(name: string): string {
  return `${MEDIA_PREFIX}${name}.bin`
}

/** Identifies a variant: the SHA-256 of this text is its key in caches and part of its published key. */
export function recipeText(digest: string, { width, height, format, focus }: VariantRecipe): string {
  return JSON.stringify([RECIPE_VERSION, digest, width, height, format, focus?.x ?? null, focus?.y ?? null])
}

/** The last segment of a name without its extension, with the characters that every store and URL may have. */
function stemOf(name: string): string {
  const file = name.slice(name.lastIndexOf('/') + 1)
  const dot = file.lastIndexOf('.')
  const stem = normalForm(dot > 0 ? file.slice(0, dot) : file)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  return [...stem].slice(0, MAX_STEM).join('') || 'file'
}

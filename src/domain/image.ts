/** Formats of images on pages. The bytes of a file decide, never its name. */
export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'svg'

export const IMAGE_TYPES: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
}

/** Facts about an image, from its bytes. */
export interface ImageFacts {
  readonly format: ImageFormat
  /** In pixels, as it is shown: its orientation is applied. An SVG without a size has that of its `viewBox`. */
  readonly width: number
  readonly height: number
  readonly animated: boolean
  readonly alpha: boolean
  /** The average colour as `#rrggbb`; null for images with transparent parts, and where they cannot be decoded. */
  readonly colour: string | null
  /** A blurred preview in about 25 bytes, as base64 (see evanw.github.io/thumbhash); null as for the colour. */
  readonly thumbhash: string | null
}

export type VariantFormat = 'webp' | 'avif'

/** A recipe for a variant of an image. */
export interface VariantRecipe {
  /** In pixels, at most the image's own. */
  readonly width: number
  /** In pixels; null keeps the proportions. With a height, the image is cropped around `focus`. */
  readonly height: number | null
  readonly format: VariantFormat
  /** The part that a crop keeps, from the left and from the top, each from 0 to 1; null is the middle. */
  readonly focus: ImageFocus | null
}

/** A recipe for an image derived from another one: a variant, an image of link previews, or an icon. */
export interface DerivationRecipe extends Omit<VariantRecipe, 'format'> {
  /** A JPEG has no transparent parts: they become white. */
  readonly format: VariantFormat | 'jpeg' | 'png'
  /** `#rrggbb`, which transparent parts of a PNG become; null keeps them. */
  readonly background?: string | null
}

export interface ImageFocus {
  readonly x: number
  readonly y: number
}

/** A derived image. */
export interface ImageVariant {
  readonly width: number
  readonly height: number
  readonly format: VariantFormat
}

/** Largest decoded image, in pixels, with all frames of an animation. */
export const MAX_IMAGE_PIXELS = 100_000_000

/** Widths of variants in pixels. Phones to large screens, each about half as many pixels more as the one before. */
const VARIANT_WIDTHS = [320, 640, 960, 1280, 1920, 2560] as const

/**
 * Increases whenever the same recipe gives other bytes, such as with another quality, so that variants have new names:
 * published ones never change. A service then derives the variants of its images again, in the background.
 */
export const RECIPE_VERSION = 2

/** Returns the widths of the variants of an image: those smaller than its own. */
function variantWidths({ width }: Pick<ImageFacts, 'width'>): readonly number[] {
  return VARIANT_WIDTHS.filter((candidate) => candidate < width)
}

/** By which factor an image has to be wider than a smaller one to be offered next to it. */
const NOTABLY = 1.1

/**
 * Reports whether screens can need all pixels of an image next to smaller ones. Wider images than the largest variant
 * are for printing.
 *
 * @param widest width of the smaller ones; 0 for none.
 */
export function isOfferedWhole({ width }: Pick<ImageFacts, 'width'>, widest: number): boolean {
  return width <= (VARIANT_WIDTHS.at(-1) ?? 0) && width > widest * NOTABLY
}

/**
 * Returns `variantWidths`, and the image's own width if screens can need it: where a build replaces the format as well.
 */
export function screenWidths(facts: Pick<ImageFacts, 'width'>): readonly number[] {
  const smaller = variantWidths(facts)
  return isOfferedWhole(facts, smaller.at(-1) ?? 0) ? [...smaller, facts.width] : smaller
}

/**
 * Reports whether variants of an image can save anything. SVGs scale by themselves, and tiny images are small already.
 */
export function hasVariants({ format, width }: Pick<ImageFacts, 'format' | 'width'>): boolean {
  return format !== 'svg' && width > VARIANT_WIDTHS[0]
}

import { type ImageFacts, type ImageVariant, screenWidths, type VariantFormat } from './image.ts'

/** A variant in the media store, next to its original. */
export interface StoredVariant extends ImageVariant {
  /** SHA-256, hex. */
  readonly digest: string
  readonly bytes: number
  /** Version of the recipe that it was derived with. */
  readonly recipe: number
}

/** Facts of an image that its variants depend on. */
export type DerivedPicture = Pick<ImageFacts, 'width' | 'animated'>

/** A variant that has more than this share of the bytes of the original is not offered. */
export const WORTH = 0.95

/** The format that is quick comes first. */
export function variantFormats({ animated }: Pick<DerivedPicture, 'animated'>): readonly VariantFormat[] {
  // No AVIF is created for animations.
  return animated ? ['webp'] : ['webp', 'avif']
}

/** Lists variants in their order of creation: by format, and in each by width, the one for phones first. */
export function variantsToMake(picture: DerivedPicture): readonly Pick<ImageVariant, 'width' | 'format'>[] {
  return variantFormats(picture).flatMap((format) =>
    screenWidths(picture).map((width) => ({ width, format })),
  )
}

/**
 * Reports whether a variant is offered. Browsers take the first format that they know, so AVIF has to be smaller than
 * WebP of the same width.
 */
export function isWorthwhile(
  { width, format, bytes }: Pick<StoredVariant, 'width' | 'format' | 'bytes'>,
  original: { readonly bytes: number },
  others: readonly Pick<StoredVariant, 'width' | 'format' | 'bytes'>[],
): boolean {
  if (bytes > original.bytes * WORTH) return false
  const webp = others.find((other) => other.format === 'webp' && other.width === width)
  return format === 'webp' || webp === undefined || bytes < webp.bytes
}

import { extensionOf } from './artifact.ts'
import type { Asset } from './asset.ts'
import { hasVariants } from './image.ts'
import { type MediaSource, mediaKey, variantKey } from './media.ts'
import type { StoredVariant } from './picture-variants.ts'

/**
 * Returns the file that a release shows for the name of an asset.
 *
 * @param stored digest and size of its bytes in the media store.
 * @param variants the existing ones, by format, then width.
 */
export function pinnedMedia(
  {
    name,
    contentType,
    image,
    video,
    focus,
  }: Pick<Asset, 'name' | 'contentType' | 'image' | 'video' | 'focus'>,
  stored: { readonly digest: string; readonly bytes: number },
  variants: readonly StoredVariant[],
): MediaSource[string] {
  const file = { ...stored, key: mediaKey(name, stored.digest, extensionOf(contentType)) }
  if (image === null) return { ...file, ...video }
  const { width, height, colour } = image
  return {
    ...file,
    width,
    height,
    colour: hasVariants(image) ? colour : null,
    ...(focus !== null && { focus }),
    variants: variants.map(({ digest, bytes, recipe: _, ...variant }) => ({
      ...variant,
      key: variantKey(name, digest, variant),
      stored: { digest, bytes },
    })),
  }
}

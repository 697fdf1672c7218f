import type { OriginalId } from './asset.ts'
import type { ProjectId } from './ids.ts'
import type { StoredVariant } from './picture-variants.ts'
import { storageKey } from './storage-key.ts'

/** Its keys name no version: they are those of before there were several. */
const FIRST_RECIPE = 1

/**
 * The key of an original in the media store. The only function that creates such keys. Each stored copy has one of its
 * own, so that removing a copy never harms a later one with the same bytes.
 */
export function originalKey(projectId: ProjectId, digest: string, id: OriginalId): string {
  return storageKey(projectId, `originals/${digest}-${id}`)
}

/**
 * Returns the key of a variant in the media store. It belongs to one stored copy of the original. Variants of another
 * recipe have other keys, because releases show the variants of their publish.
 */
export function originalVariantKey(
  projectId: ProjectId,
  { digest, id }: { readonly digest: string; readonly id: OriginalId },
  { width, format, recipe }: Pick<StoredVariant, 'width' | 'format' | 'recipe'>,
): string {
  const version = recipe === FIRST_RECIPE ? '' : `-r${recipe}`
  return storageKey(projectId, `variants/${digest}-${id}-${width}${version}.${format}`)
}

import type { OriginalId } from './asset.ts'
import type { ProjectId } from './ids.ts'
import type { ImageVariant } from './image.ts'
import { storageKey } from './storage-key.ts'

/**
 * The key of an original in the media store. The only function that creates such keys. Each stored copy has one of its
 * own, so that removing a copy never harms a later one with the same bytes.
 */
export function originalKey(projectId: ProjectId, digest: string, id: OriginalId): string {
  return storageKey(projectId, `originals/${digest}-${id}`)
}

/** The key of a variant in the media store. It belongs to one stored copy of the original. */
export function originalVariantKey(
  projectId: ProjectId,
  { digest, id }: { readonly digest: string; readonly id: OriginalId },
  { width, format }: Pick<ImageVariant, 'width' | 'format'>,
): string {
  return storageKey(projectId, `variants/${digest}-${id}-${width}.${format}`)
}

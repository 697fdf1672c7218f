import type { OriginalId } from './asset.ts'
import type { ProjectId } from './ids.ts'
import { storageKey } from './storage-key.ts'

/**
 * The key of an original in the media store. The only function that creates such keys. Each stored copy has one of its
 * own, so that removing a copy never harms a later one with the same bytes.
 */
export function originalKey(projectId: ProjectId, digest: string, id: OriginalId): string {
  return storageKey(projectId, `originals/${digest}-${id}`)
}

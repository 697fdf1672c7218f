import type { ProjectId } from '../../domain/ids.ts'
import { projectPrefix } from '../../domain/storage-key.ts'
import { SEARCH_MANIFEST, SEARCH_SHARDS } from '../../render/search/search-index.ts'
import { LLMS_FULL } from '../../render/site-files/llms.ts'
import type { Storage } from '../../storage/storage.ts'

/** Prefixes of keys of the search-index job, which writes after the answer of a publish. */
const STARTS = [SEARCH_MANIFEST, SEARCH_SHARDS, LLMS_FULL]

/** Reports whether the search-index job writes the file with this key. */
export function isSearchFile(key: string): boolean {
  return STARTS.some((start) => key.startsWith(start))
}

/** Keys of the search-index job on the store, with those of interrupted jobs. */
export async function storedSearchFiles(
  projectId: ProjectId,
  storage: Pick<Storage, 'list'>,
): Promise<readonly string[]> {
  const lists = await Promise.all(STARTS.map((start) => storage.list(projectPrefix(projectId) + start)))
  return lists.flat()
}

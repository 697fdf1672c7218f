import type { ProjectId } from '../../domain/ids.ts'
import { projectPrefix } from '../../domain/storage-key.ts'
import { SEARCH_MANIFEST, SEARCH_SHARDS } from '../../render/search/search-index.ts'
import { LLMS_FULL } from '../../render/site-files/llms.ts'
import type { Storage } from '../../storage/storage.ts'

/** With what the keys of all files begin that the search-index job writes, after a publish has been answered. */
const STARTS = [SEARCH_MANIFEST, SEARCH_SHARDS, LLMS_FULL]

/** Whether the search-index job writes the file with this key. */
export function isSearchFile(key: string): boolean {
  return STARTS.some((start) => key.startsWith(start))
}

/** Keys on the store of the files of the search-index job, with those that an interrupted job left behind. */
export async function storedSearchFiles(
  projectId: ProjectId,
  storage: Pick<Storage, 'list'>,
): Promise<readonly string[]> {
  const lists = await Promise.all(STARTS.map((start) => storage.list(projectPrefix(projectId) + start)))
  return lists.flat()
}

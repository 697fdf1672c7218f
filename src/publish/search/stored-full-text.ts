import type { Artifact } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import { fullText, fullTextKeys, LLMS } from '../../render/site-files/llms.ts'
import type { PublishPorts } from '../ports.ts'

const READS_AT_ONCE = 8

/**
 * `llms-full.txt` of the published pages, read from the store. Pages may be published meanwhile: they bring an update
 * of their own. Null for a site without such a file, or in Data Mode.
 */
export async function storedFullText(
  projectId: ProjectId,
  { liveState, storage }: Pick<PublishPorts, 'liveState' | 'storage'>,
): Promise<Artifact | null> {
  const live = await liveState.site(projectId)
  if (live === null || live.site.hostingMode === 'data_mode') return null
  const read = (key: string) => storage.get(storageKey(projectId, key))
  const index = Buffer.from((await read(LLMS)) ?? '').toString()
  const keys = fullTextKeys(index, live.site.origin)
  const texts = await mapConcurrently(keys, READS_AT_ONCE, read)
  return fullText(
    index,
    texts.filter((text) => text !== null),
  )
}

import type { Artifact } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { fullText, fullTextKeys, LLMS, MAX_FULL_BYTES } from '../../render/site-files/llms.ts'
import type { PublishPorts } from '../ports.ts'

const READS_AT_ONCE = 8

/** `llms-full.txt` of the published pages, as it was at some time. */
export interface StoredFullText {
  /** Text of `llms.txt` at that time, with the names of the pages. */
  readonly index: string
  /** The file; null for a site without one, or in Data Mode. */
  readonly artifact: Artifact | null
}

/** Reads the Markdown of the published pages from the store. Pages may be published meanwhile: see `currentFullText`. */
export async function readFullText(
  projectId: ProjectId,
  ports: Pick<PublishPorts, 'liveState' | 'storage'>,
): Promise<StoredFullText> {
  const live = await ports.liveState.site(projectId)
  const index = await readIndex(projectId, ports)
  if (live === null || live.site.hostingMode === 'data_mode') return { index, artifact: null }
  const texts: Uint8Array[] = []
  let bytes = 0
  const keys = fullTextKeys(index, live.site.origin)
  for (let start = 0; start < keys.length && bytes <= MAX_FULL_BYTES; start += READS_AT_ONCE) {
    const some = keys.slice(start, start + READS_AT_ONCE)
    const read = await Promise.all(some.map((key) => ports.storage.get(storageKey(projectId, key))))
    for (const text of read) {
      if (text === null) continue
      texts.push(text)
      bytes += text.byteLength
    }
  }
  return { index, artifact: fullText(index, texts) }
}

/**
 * The text that was read or, where pages came or went since, another one, so that it has none of a page that was taken off.
 * Other text of the same pages brings an update of its own. Called under the lease of the project.
 */
export async function currentFullText(
  projectId: ProjectId,
  read: StoredFullText,
  ports: Pick<PublishPorts, 'liveState' | 'storage'>,
): Promise<StoredFullText> {
  return (await readIndex(projectId, ports)) === read.index ? read : readFullText(projectId, ports)
}

async function readIndex(projectId: ProjectId, { storage }: Pick<PublishPorts, 'storage'>): Promise<string> {
  return Buffer.from((await storage.get(storageKey(projectId, LLMS))) ?? '').toString()
}

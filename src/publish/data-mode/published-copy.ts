import { Readable } from 'node:stream'
import type { ProjectId } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import type { Storage } from '../../storage/storage.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { Sealing } from './seal.ts'

/** The plaintext of a published picture or file, sealed or not; without bytes where the site has no such object. */
export function openPublishedCopy(
  projectId: ProjectId,
  { key, keyId }: Pick<LiveObject, 'key' | 'keyId'>,
  sealing: Pick<Sealing, 'openMedia'>,
  storage: Pick<Storage, 'open'>,
): Readable {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const stored = await storage.open(storageKey(projectId, key))
    if (stored === null) return
    yield* keyId === null ? stored.stream() : sealing.openMedia(keyId, stored.stream())
  }
  return Readable.from(chunks(), { objectMode: false })
}

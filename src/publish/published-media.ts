import { Readable } from 'node:stream'
import type { Storage } from '../storage/storage.ts'
import { StorageError } from '../storage/storage.ts'
import type { StoredArtifacts } from './ledger/stored-artifacts.ts'
import type { PublishedMedia } from './ports.ts'

/** Copies originals from the private media store, a chunk at a time. */
export function createPublishedMedia(
  storedArtifacts: Pick<StoredArtifacts, 'findOriginal'>,
  mediaStore: Pick<Storage, 'open'>,
): PublishedMedia {
  return {
    body: (projectId, { digest, size }) => ({
      digest,
      size,
      open: () =>
        Readable.from(
          chunks(async () => (await storedArtifacts.findOriginal(projectId, digest))?.key ?? null),
          { objectMode: false },
        ),
    }),
  }

  async function* chunks(keyOf: () => Promise<string | null>): AsyncGenerator<Buffer> {
    const key = await keyOf()
    const original = key === null ? null : await mediaStore.open(key)
    if (original === null)
      throw new StorageError('The bytes of a file that a page shows are not in the media store.', {
        transient: false,
      })
    yield* original.stream()
  }
}

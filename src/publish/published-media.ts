import { Readable } from 'node:stream'
import { type OpenObject, type Storage, StorageError } from '../storage/storage.ts'
import type { StoredArtifacts } from './ledger/stored-artifacts.ts'
import type { PublishedMedia } from './ports.ts'

/** Reads originals from the private media store, a chunk at a time. */
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
          chunks(() => open(projectId, digest)),
          { objectMode: false },
        ),
    }),
    open,
  }

  async function open(
    ...[projectId, digest]: Parameters<PublishedMedia['open']>
  ): Promise<OpenObject | null> {
    const original = await storedArtifacts.findOriginal(projectId, digest)
    return original === null ? null : mediaStore.open(original.key)
  }
}

async function* chunks(open: () => Promise<OpenObject | null>): AsyncGenerator<Buffer> {
  const original = await open()
  if (original === null)
    throw new StorageError('The bytes of a file that a page shows are not in the media store.', {
      transient: false,
    })
  yield* original.stream()
}

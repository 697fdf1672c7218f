import { Readable } from 'node:stream'
import { type OpenObject, type Storage, StorageError } from '../storage/storage.ts'
import { watchedBody } from '../storage/streamed-body.ts'
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

/**
 * The same originals. To be sealed, a file is read once before its upload starts, and again by each attempt to store it.
 *
 * @param onMove called when more of a body was read than ever before.
 */
export function watchedMedia(media: PublishedMedia, onMove: () => void): PublishedMedia {
  return {
    ...media,
    body(projectId, original) {
      let most = 0
      return watchedBody(media.body(projectId, original), (taken) => {
        if (taken > most) onMove()
        most = Math.max(most, taken)
      })
    },
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

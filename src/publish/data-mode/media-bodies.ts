import type { ProjectId } from '../../domain/ids.ts'
import type { StreamedBody } from '../../storage/storage.ts'
import type { Upload } from '../ledger/upload.ts'
import type { PublishedMedia } from '../ports.ts'
import type { Sealing } from './seal.ts'

/** What a deploy uploads for pictures and files: copies of originals, sealed where the upload has a key. */
export function mediaBodies(
  projectId: ProjectId,
  {
    sealing,
    publishedMedia,
  }: { readonly sealing: Sealing; readonly publishedMedia: Pick<PublishedMedia, 'body'> },
  signal?: AbortSignal,
): (upload: Pick<Upload, 'artifact' | 'keyId'>) => Promise<StreamedBody> {
  return async ({ artifact: { key, original }, keyId }) => {
    if (original === undefined) throw new Error(`${key} is no copy of an original.`)
    const plaintext = publishedMedia.body(projectId, original)
    return keyId === null ? plaintext : sealing.sealMedia(keyId, plaintext, signal)
  }
}

import type { DataModeRelease } from '../../domain/release.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import { SEALED_FILE_OVERHEAD } from '../../secrets/seal-stream.ts'
import { StorageError } from '../../storage/storage.ts'
import type { LiveObject, LiveState } from '../ledger/live-state.ts'
import type { DataModeCommit } from '../ledger/release-queue.ts'
import type { Upload } from '../ledger/upload.ts'
import { deploy } from '../pipeline/deploy.ts'
import { mediaArtifact } from '../pipeline/media-artifacts.ts'
import { plan } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'
import { mediaBodies } from './media-bodies.ts'
import { openPublishedCopy } from './published-copy.ts'
import type { Sealing } from './seal.ts'

/** Reads of the database at a time. */
const CONCURRENCY = 16

export interface MediaAgain extends Pick<DataModeCommit, 'renamed'> {
  /** They are deployed, but not committed. */
  readonly uploads: readonly Upload[]
}

/**
 * Seals the pictures and files of sealed pages with a new key, from the media store. The objects under the previous key
 * stay until the commit: readers may have a page that shows them.
 */
export async function sealMediaAgain(
  { id, projectId }: Pick<DataModeRelease, 'id' | 'projectId'>,
  keyId: string,
  sealing: Sealing,
  ports: PublishPorts & { readonly signal: AbortSignal },
): Promise<MediaAgain> {
  const live = await shownObjects(projectId, ports)
  const renamed = live.map(({ key, digest }) => ({ from: key, to: sealing.mediaKey(keyId, digest) }))
  const digests = new Map(live.map(({ key, digest }) => [digest, key]))
  const artifacts = await mapConcurrently([...digests], CONCURRENCY, async ([digest, key]) => {
    const original = await ports.storedArtifacts.findOriginal(projectId, digest)
    const size = original?.bytes ?? (await publishedSize(projectId, key, ports))
    return mediaArtifact(sealing.mediaKey(keyId, digest), { digest, size })
  })
  const stamp = { releaseId: id, publishedAt: ports.now() }
  const { uploads } = plan(artifacts, [], { keyId, stampOf: () => stamp })
  const fromOriginal = mediaBodies(projectId, { ...ports, sealing }, ports.signal)
  const published = new Map(live.map((object) => [object.digest, object]))
  const mediaBody = async (upload: (typeof uploads)[number]) => {
    try {
      return await fromOriginal(upload)
    } catch (error) {
      const object = published.get(upload.digest)
      const size = upload.artifact.original?.size
      if (!(error instanceof StorageError) || error.transient || object === undefined || size === undefined)
        throw error
      // What the media store has lost is on the site still, sealed with the previous key.
      const open = () => openPublishedCopy(projectId, object, sealing, ports.storage)
      return sealing.sealMedia(keyId, { digest: object.digest, size, open }, ports.signal)
    }
  }
  await deploy({ uploads, deletes: [] }, projectId, ports.storage, sealing.encodeUpload, mediaBody)
  return { uploads, renamed }
}

/** Bytes of the plaintext of a sealed object on the site. @throws {Error} when there is none. */
async function publishedSize(
  projectId: DataModeRelease['projectId'],
  key: string,
  { storage }: Pick<PublishPorts, 'storage'>,
): Promise<number> {
  const stored = await storage.open(storageKey(projectId, key))
  if (stored === null) throw new Error(`The bytes of the live object ${key} are lost.`)
  await stored.close()
  return stored.size - SEALED_FILE_OVERHEAD
}

/** Sealed pictures and files of a page. */
export async function shownObjects(
  projectId: DataModeRelease['projectId'],
  { liveState }: { readonly liveState: Pick<LiveState, 'objectsOfKinds' | 'orphanedAssets'> },
): Promise<readonly (LiveObject & { readonly digest: string })[]> {
  const orphaned = new Set((await liveState.orphanedAssets(projectId)).map(({ key }) => key))
  return (await liveState.objectsOfKinds(projectId, ['media'])).flatMap((object) => {
    const { digest, key, keyId } = object
    return digest === null || keyId === null || orphaned.has(key) ? [] : [{ ...object, digest }]
  })
}

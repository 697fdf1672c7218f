import type { DataModeRelease } from '../../domain/release.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { DataModeCommit } from '../ledger/release-queue.ts'
import type { Upload } from '../ledger/upload.ts'
import { deploy } from '../pipeline/deploy.ts'
import { mediaArtifact } from '../pipeline/media-artifacts.ts'
import { plan } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'
import { mediaBodies } from './media-bodies.ts'
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
    if (original === null) throw new Error(`The bytes of the live object ${key} are not in the media store.`)
    return mediaArtifact(sealing.mediaKey(keyId, digest), { digest, size: original.bytes })
  })
  const stamp = { releaseId: id, publishedAt: ports.now() }
  const { uploads } = plan(artifacts, [], { keyId, stampOf: () => stamp })
  const mediaBody = mediaBodies(projectId, { ...ports, sealing }, ports.signal)
  await deploy({ uploads, deletes: [] }, projectId, ports.storage, sealing.encodeUpload, mediaBody)
  return { uploads, renamed }
}

/** Sealed pictures and files that a page shows. */
async function shownObjects(
  projectId: DataModeRelease['projectId'],
  { liveState }: Pick<PublishPorts, 'liveState'>,
): Promise<readonly (LiveObject & { readonly digest: string })[]> {
  const orphaned = new Set((await liveState.orphanedAssets(projectId)).map(({ key }) => key))
  return (await liveState.objectsOfKinds(projectId, ['media'])).flatMap((object) => {
    const { digest, key, keyId } = object
    return digest === null || keyId === null || orphaned.has(key) ? [] : [{ ...object, digest }]
  })
}

import { promisify } from 'node:util'
import { constants, gunzipSync, gzip } from 'node:zlib'
import pLimit from 'p-limit'
import { type Artifact, sizeOf } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { sealedMediaKey } from '../../domain/media.ts'
import type { Stamp } from '../../domain/release.ts'
import { completed, uncompleted } from '../../render/page/completed-payload.ts'
import { keyIdOf, sealedFileName, unwrapContentKey } from '../../secrets/content-key.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { openBytes, openFile, sealBytes, sealedFileSize, sealFile } from '../../secrets/seal.ts'
import { openChunks, SEALED_FILE_OVERHEAD } from '../../secrets/seal-stream.ts'
import type { StreamedBody } from '../../storage/storage.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { StoredArtifact, StoredArtifacts } from '../ledger/stored-artifacts.ts'
import type { Upload } from '../ledger/upload.ts'
import { sealMedia } from './seal-media.ts'

/** Seals and opens a project's objects and stored artifacts. */
export interface Sealing {
  /** The bytes to upload for an object: its body, sealed if the object has a key. */
  encode(object: WrittenObject, body: Uint8Array): Uint8Array
  encodeUpload(upload: Upload): Uint8Array
  /** The key of the sealed object with these bytes. */
  mediaKey(keyId: string, digest: string): string
  /**
   * A picture or file, to be stored as it is sealed. Reads it once, because a store wants to know the digest before the
   * first byte, and again for each attempt to store it.
   *
   * @throws the reason of the signal when that is aborted.
   */
  sealMedia(keyId: string, plaintext: StreamedBody, signal?: AbortSignal): Promise<StreamedBody>
  /** The plaintext of a stored picture or file. @throws {RangeError} at its end when it was not sealed with this key. */
  openMedia(keyId: string, stored: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** The body of an uploaded object. @throws {RangeError} when the bytes were not encoded with this key. */
  decode(object: WrittenObject, stored: Uint8Array): Uint8Array
  /** Compresses uploads for reverts and rollbacks. Artifacts sealed on the CDN are sealed here too. */
  toStored(uploads: readonly Upload[]): Promise<readonly StoredArtifact[]>
  sealStored(plaintext: StoredArtifact): StoredArtifact
  /** The body of a stored artifact. */
  openStored(stored: StoredArtifact): Uint8Array
}

/** Form of an object in the store. */
export type WrittenObject = Pick<LiveObject, 'owner' | 'keyId' | 'writtenBy'>

export interface SealingPorts {
  readonly storedArtifacts: Pick<StoredArtifacts, 'contentKeys'>
  readonly masterKey: MasterKey
}

const compress = promisify(gzip)
/** Compression shares libuv's thread pool with all file access. */
const compressing = pLimit(2)
/** Bytes above which compression uses the fastest level, so that one large page does not delay other publishes. */
const LARGE = 256 * 1024
const FASTEST = constants.Z_BEST_SPEED

/** Seals stored artifacts. Regenerating the content key does not change it. */
const STORAGE_KEY = keyIdOf(0)

export async function createSealing(
  projectId: ProjectId,
  { storedArtifacts, masterKey }: SealingPorts,
): Promise<Sealing> {
  const wrapped = await storedArtifacts.contentKeys(projectId)
  return sealingWith(
    projectId,
    new Map(
      wrapped.map((key) => [keyIdOf(key.version), unwrapContentKey(masterKey, projectId, key)] as const),
    ),
  )
}

/** Sealing for uploads without a key; loads no keys. */
export function sealingWithoutKeys(projectId: ProjectId): Sealing {
  return sealingWith(projectId, new Map())
}

function sealingWith(projectId: ProjectId, keys: ReadonlyMap<string, Uint8Array>): Sealing {
  return {
    encode,
    encodeUpload: ({ artifact: { owner, body }, ...upload }) => encode({ ...upload, owner }, body),

    decode({ owner, keyId, writtenBy }, stored) {
      if (keyId === null) return stored
      const opened = openFile(stored, keyNamed(keyId))
      const stamp = stampOf({ owner, writtenBy })
      return stamp === null ? opened : uncompleted(opened, stamp)
    },

    mediaKey,
    sealMedia: (keyId, plaintext, signal) => sealMedia(plaintext, keyNamed(keyId), signal),
    openMedia: (keyId, stored) => openChunks(stored, keyNamed(keyId)),

    toStored: (uploads) =>
      Promise.all(uploads.filter(isStored).map((upload) => compressing(() => storeOne(upload)))),

    sealStored,

    openStored({ digest, bytes, sealed }) {
      return gunzipSync(sealed ? openBytes(bytes, keyNamed(STORAGE_KEY), Buffer.from(digest)) : bytes)
    },
  }

  function encode({ owner, keyId, writtenBy }: WrittenObject, body: Uint8Array): Uint8Array {
    if (keyId === null) return body
    const stamp = stampOf({ owner, writtenBy })
    const fileOf = (digest: string) => mediaKey(keyId, digest)
    return sealFile(stamp === null ? body : completed(body, stamp, fileOf), keyNamed(keyId))
  }

  function mediaKey(keyId: string, digest: string): string {
    return sealedMediaKey(sealedFileName(keyNamed(keyId), digest))
  }

  async function storeOne({ artifact: { body }, digest, keyId }: Upload): Promise<StoredArtifact> {
    const level = body.byteLength > LARGE ? FASTEST : constants.Z_DEFAULT_COMPRESSION
    const stored = { digest, bytes: await compress(body, { level }), sealed: false }
    return keyId === null ? stored : sealStored(stored)
  }

  function sealStored({ digest, bytes }: StoredArtifact): StoredArtifact {
    return { digest, bytes: sealBytes(bytes, keyNamed(STORAGE_KEY), Buffer.from(digest)), sealed: true }
  }

  function keyNamed(keyId: string): Uint8Array {
    const key = keys.get(keyId)
    if (key === undefined) throw new Error(`The key ${keyId} of project ${projectId} is missing.`)
    return key
  }
}

/** Size of an object on the store, in bytes. */
export function storedSize(artifact: Artifact, { keyId, writtenBy }: Omit<WrittenObject, 'owner'>): number {
  if (keyId === null) return sizeOf(artifact)
  const { owner, body, original } = artifact
  if (original !== undefined) return original.size + SEALED_FILE_OVERHEAD
  const stamp = stampOf({ owner, writtenBy })
  return sealedFileSize((stamp === null ? body : completed(body, stamp, () => ANY_FILE)).byteLength)
}

/** As long as every key of a sealed file. */
const ANY_FILE = sealedMediaKey(sealedFileName(new Uint8Array(), ''))

/** A sealed page contains its release, its publish time and names of files; sealed navigation does not. */
function stampOf({ owner, writtenBy }: Pick<WrittenObject, 'owner' | 'writtenBy'>): Stamp | null {
  return owner.kind === 'page' ? writtenBy : null
}

/**
 * Stores pages, redirects and assets. Indexes are not stored, because a revert rebuilds them, and originals are in the
 * media store.
 */
function isStored({ artifact: { owner, stage, original } }: Upload): boolean {
  if (original !== undefined) return false
  return owner.kind === 'page' || owner.kind === 'redirect' || stage === 'asset'
}

import { promisify } from 'node:util'
import { constants, gunzipSync, gzip } from 'node:zlib'
import pLimit from 'p-limit'
import { type Artifact, sizeOf } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import type { Stamp } from '../../domain/release.ts'
import { stamped, unstamped } from '../../render/page/payload.ts'
import { keyIdOf, openContentKey } from '../../secrets/content-key.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { openBytes, openedFile, sealedBytes, sealedFile, sealedFileSize } from '../../secrets/seal.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { StoredArtifact, StoredArtifacts } from '../ledger/stored-artifacts.ts'
import type { Upload } from '../ledger/upload.ts'

/** A project's keys at work. */
export interface Sealing {
  /** What is stored for an object: its body as it is, or sealed when it has a key. */
  encode(object: WrittenObject, body: Uint8Array): Uint8Array
  encodeUpload(upload: Upload): Uint8Array
  /** The body that was encoded. @throws {RangeError} when something else was stored. */
  decode(object: WrittenObject, stored: Uint8Array): Uint8Array
  /** What is kept of uploads to be put back one day; what is sealed on the CDN is sealed here too. */
  toStored(uploads: readonly Upload[]): Promise<readonly StoredArtifact[]>
  /** The same, sealed. */
  sealStored(open: StoredArtifact): StoredArtifact
  /** The body that was kept. */
  openStored(kept: StoredArtifact): Uint8Array
}

/** How an object is, or is to be, stored. */
export type WrittenObject = Pick<LiveObject, 'owner' | 'keyId' | 'writtenBy'>

export interface SealingPorts {
  readonly storedArtifacts: Pick<StoredArtifacts, 'contentKeys'>
  readonly masterKey: MasterKey
}

const packed = promisify(gzip)
/** Packed at once: the threads that do it also read and write for everybody. */
const slot = pLimit(2)
/** In bytes; to pack more than that well takes longer than it takes everybody else to publish. */
const LARGE = 256 * 1024
const FASTEST = constants.Z_BEST_SPEED

/** Seals what the database keeps; a new content key leaves it alone. */
const STORAGE = keyIdOf(0)

export async function createSealing(
  projectId: ProjectId,
  { storedArtifacts, masterKey }: SealingPorts,
): Promise<Sealing> {
  const kept = await storedArtifacts.contentKeys(projectId)
  return sealingWith(
    projectId,
    new Map(kept.map((key) => [keyIdOf(key.version), openContentKey(masterKey, projectId, key)] as const)),
  )
}

/** Of a project that nothing is to be sealed for. */
export function sealingWithoutKeys(projectId: ProjectId): Sealing {
  return sealingWith(projectId, new Map())
}

function sealingWith(projectId: ProjectId, keys: ReadonlyMap<string, Uint8Array>): Sealing {
  return {
    encode,
    encodeUpload: ({ artifact: { owner, body }, ...upload }) => encode({ ...upload, owner }, body),

    decode({ owner, keyId, writtenBy }, stored) {
      if (keyId === null) return stored
      const opened = openedFile(stored, keyNamed(keyId))
      const stamp = stampOf({ owner, writtenBy })
      return stamp === null ? opened : unstamped(opened, stamp)
    },

    toStored: (uploads) => Promise.all(uploads.filter(isKept).map((upload) => slot(() => keepOne(upload)))),

    sealStored: sealKept,

    openStored({ digest, bytes, sealed }) {
      return gunzipSync(sealed ? openBytes(bytes, keyNamed(STORAGE), Buffer.from(digest)) : bytes)
    },
  }

  function encode({ owner, keyId, writtenBy }: WrittenObject, body: Uint8Array): Uint8Array {
    if (keyId === null) return body
    const stamp = stampOf({ owner, writtenBy })
    return sealedFile(stamp === null ? body : stamped(body, stamp), keyNamed(keyId))
  }

  async function keepOne({ artifact: { body }, digest, keyId }: Upload): Promise<StoredArtifact> {
    const level = body.byteLength > LARGE ? FASTEST : constants.Z_DEFAULT_COMPRESSION
    const open = { digest, bytes: await packed(body, { level }), sealed: false }
    return keyId === null ? open : sealKept(open)
  }

  function sealKept({ digest, bytes }: StoredArtifact): StoredArtifact {
    return { digest, bytes: sealedBytes(bytes, keyNamed(STORAGE), Buffer.from(digest)), sealed: true }
  }

  function keyNamed(keyId: string): Uint8Array {
    const key = keys.get(keyId)
    if (key === undefined) throw new Error(`The key ${keyId} of project ${projectId} is not kept.`)
    return key
  }
}

/** How many bytes are stored for an object. */
export function storedSize(artifact: Artifact, { keyId, writtenBy }: Omit<WrittenObject, 'owner'>): number {
  if (keyId === null) return sizeOf(artifact)
  const { owner, body } = artifact
  const stamp = stampOf({ owner, writtenBy })
  return sealedFileSize((stamp === null ? body : stamped(body, stamp)).byteLength)
}

/** A sealed page says which publish it is of; the navigation does not. */
function stampOf({ owner, writtenBy }: Pick<WrittenObject, 'owner' | 'writtenBy'>): Stamp | null {
  return owner.kind === 'page' ? writtenBy : null
}

/** Bytes of pages, of their redirects, and of the assets they name, are kept to be put back; indexes are made anew instead. */
function isKept({ artifact: { owner, stage } }: Upload): boolean {
  return owner.kind === 'page' || owner.kind === 'redirect' || stage === 'asset'
}

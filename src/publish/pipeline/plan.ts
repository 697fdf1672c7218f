import { hash } from 'node:crypto'
import { type Artifact, isSharedKey, objectHeaders } from '../../domain/artifact.ts'
import type { Stamp } from '../../domain/release.ts'
import { storedSize } from '../data-mode/seal.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { Upload } from '../ledger/upload.ts'

/** Changes of a publish to the store, shown by a dry run and applied by `deploy`. */
export interface Plan {
  readonly uploads: readonly Upload[]
  /** Keys of unchanged objects. */
  readonly keeps: readonly string[]
  readonly deletes: readonly Removal[]
}

/** An object to remove. */
export type Removal = Pick<LiveObject, 'key' | 'owner'>

/** How uploads are sealed and attributed. */
export interface UploadContext {
  /** Id of the sealing key of uploads other than the manifest; null for plaintext. */
  readonly keyId: string | null
  /** Publish of an artifact. */
  readonly stampOf: (artifact: Artifact) => Stamp
}

/**
 * Compares the artifacts that should be live with the objects that are. Pure.
 *
 * Digests are of the plaintext and of the headers, so that a new nonce alone does not make a page look changed;
 * a new key does.
 *
 * @param live objects of the owners in question only: those that are missing from `artifacts` are deleted. Assets
 *   are never deleted here, because other live pages may reference them.
 */
export function plan(
  artifacts: readonly Artifact[],
  live: readonly LiveObject[],
  { keyId, stampOf }: UploadContext,
): Plan {
  const existing = new Map(live.map((object) => [object.key, object]))
  const next = new Map(artifacts.map((artifact) => [artifact.key, artifact]))
  const uploads: Upload[] = []
  const keeps: string[] = []

  for (const artifact of next.values()) {
    const digest = digestOf(artifact)
    const headerDigest = headerDigestOf(artifact.key)
    const usedKey = isPublic(artifact) ? null : keyId
    const writtenBy = stampOf(artifact)
    const written = { artifact, digest, headerDigest, keyId: usedKey, writtenBy }
    const reason = reasonToUpload(existing.get(artifact.key), written)
    if (reason === null) keeps.push(artifact.key)
    else {
      const size = storedSize(artifact, written)
      // Written out, so that V8 gives thousands of uploads one hidden class.
      uploads.push({ artifact, digest, headerDigest, reason, size, keyId: usedKey, writtenBy })
    }
  }

  const deletes = live.filter(({ key, digest }) => digest !== null && !next.has(key) && !isSharedKey(key))
  return { uploads, keeps, deletes: [...deletes].sort((a, b) => (a.key < b.key ? -1 : 1)) }
}

function reasonToUpload(
  existing: LiveObject | undefined,
  { artifact, digest, headerDigest, keyId, writtenBy }: Omit<Upload, 'reason' | 'size'>,
): Upload['reason'] | null {
  if (existing === undefined || existing.digest === null) return 'new'
  if (existing.digest !== digest || existing.keyId !== keyId) return 'changed'
  // Pages that exchanged their addresses may have equal files; the upload records the new owner.
  if (artifact.owner.kind === 'page' && existing.owner.id !== artifact.owner.id) return 'changed'
  // A sealed page contains the id of its release.
  const isStamped = keyId !== null && artifact.owner.kind === 'page'
  if (isStamped && existing.writtenBy?.releaseId !== writtenBy.releaseId) return 'changed'
  return existing.headerDigest === headerDigest ? null : 'headers'
}

/** The manifest is never sealed: it tells readers what exists and which key opens it. */
function isPublic({ stage }: Artifact): boolean {
  return stage === 'manifest'
}

/** The object with unknown bytes, so that it is uploaded again: an interrupted attempt may have overwritten it. */
export function withUnknownBytes(object: LiveObject): LiveObject {
  return object.digest === null ? object : { ...object, digest: UNKNOWN }
}

/** Equal to no digest. */
const UNKNOWN = ''

/** Digests by body. Bodies of unchanged artifacts are the same object across publishes. */
const digests = new WeakMap<Uint8Array, string>()

/** SHA-256 of the artifact's body, hex. Bodies are immutable. */
export function digestOf(artifact: Pick<Artifact, 'body' | 'spilled' | 'original' | 'copied'>): string {
  const elsewhere = artifact.spilled ?? artifact.original ?? artifact.copied
  if (elsewhere !== undefined) return elsewhere.digest
  const { body } = artifact
  const digest = digests.get(body) ?? sha256(body)
  digests.set(body, digest)
  return digest
}

/** Digests by serialised headers; few distinct ones exist. */
const headerDigests = new Map<string, string>()

/** SHA-256 of the headers of an object with this key, hex. */
export function headerDigestOf(key: string): string {
  const headers = JSON.stringify(objectHeaders(key))
  const digest = headerDigests.get(headers) ?? sha256(headers)
  headerDigests.set(headers, digest)
  return digest
}

/** SHA-256, hex. */
export function sha256(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex')
}

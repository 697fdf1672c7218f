import { hash } from 'node:crypto'
import { type Artifact, isAssetKey, objectHeaders } from '../../domain/artifact.ts'
import type { Stamp } from '../../domain/release.ts'
import { storedSize } from '../data-mode/seal.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { Upload } from '../ledger/upload.ts'

/** What a publish would do to the store. A dry run shows it; `deploy` carries it out. */
export interface Plan {
  readonly uploads: readonly Upload[]
  /** Keys whose bytes and headers lie there already. */
  readonly keeps: readonly string[]
  readonly deletes: readonly Removal[]
}

/** An object that is to go. */
export type Removal = Pick<LiveObject, 'key' | 'owner'>

/** How what is uploaded is written. */
export interface UploadContext {
  /** Of the key it is sealed with, but for the manifest; null writes it as it is. */
  readonly keyId: string | null
  /** The publish an artifact belongs to. */
  readonly stampOf: (artifact: Artifact) => Stamp
}

/**
 * Compare what should be live with what is. Digests are of the plaintext and the headers, so a
 * fresh nonce does not make an unchanged page look changed; another key does. Pure.
 *
 * @param live objects of the owners in hand only: whatever of them `artifacts` lacks is deleted.
 *   Assets are never deleted here, since other live pages may name them.
 */
export function plan(
  artifacts: readonly Artifact[],
  live: readonly LiveObject[],
  { keyId, stampOf }: UploadContext,
): Plan {
  const before = new Map(live.map((object) => [object.key, object]))
  const next = new Map(artifacts.map((artifact) => [artifact.key, artifact]))
  const uploads: Upload[] = []
  const keeps: string[] = []

  for (const artifact of next.values()) {
    const digest = digestOf(artifact)
    const headerDigest = headerDigestOf(artifact.key)
    const usedKey = isOpen(artifact) ? null : keyId
    const writtenBy = stampOf(artifact)
    const written = { artifact, digest, headerDigest, keyId: usedKey, writtenBy }
    const reason = reasonToUpload(before.get(artifact.key), written)
    if (reason === null) keeps.push(artifact.key)
    else {
      const size = storedSize(artifact, written)
      // Named one by one, so that thousands of them are objects of one shape.
      uploads.push({ artifact, digest, headerDigest, reason, size, keyId: usedKey, writtenBy })
    }
  }

  const deletes = live.filter(({ key, digest }) => digest !== null && !next.has(key) && !isAssetKey(key))
  return { uploads, keeps, deletes: [...deletes].sort((a, b) => (a.key < b.key ? -1 : 1)) }
}

function reasonToUpload(
  before: LiveObject | undefined,
  { artifact, digest, headerDigest, keyId, writtenBy }: Omit<Upload, 'reason' | 'size'>,
): Upload['reason'] | null {
  if (before === undefined || before.digest === null) return 'new'
  if (before.digest !== digest || before.keyId !== keyId) return 'changed'
  // A sealed page says which release it is of.
  const isStamped = keyId !== null && artifact.owner.kind === 'page'
  if (isStamped && before.writtenBy?.releaseId !== writtenBy.releaseId) return 'changed'
  return before.headerDigest === headerDigest ? null : 'headers'
}

/** The manifest says to everybody what there is, and which key opens it. */
function isOpen({ stage }: Artifact): boolean {
  return stage === 'manifest'
}

/** What did not have to be made anew is the same object, and what was asked for needs no second look. */
const digests = new WeakMap<Uint8Array, string>()

/** SHA-256 of its body, which never changes; in hex. */
export function digestOf(artifact: Pick<Artifact, 'body' | 'spooled'>): string {
  if (artifact.spooled !== undefined) return artifact.spooled.digest
  const { body } = artifact
  const digest = digests.get(body) ?? sha256(body)
  digests.set(body, digest)
  return digest
}

/** Few keys differ in their headers. */
const headerDigests = new Map<string, string>()

/** SHA-256 of the headers that an object with this key travels with; in hex. */
export function headerDigestOf(key: string): string {
  const headers = JSON.stringify(objectHeaders(key))
  const digest = headerDigests.get(headers) ?? sha256(headers)
  headerDigests.set(headers, digest)
  return digest
}

/** In hex. */
export function sha256(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex')
}

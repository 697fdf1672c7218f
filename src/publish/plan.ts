import { createHash } from 'node:crypto'
import { type Artifact, objectHeaders } from '../domain/artifact.ts'
import type { ReleaseId } from '../domain/ids.ts'
import type { LiveObject, Upload } from './ledger.ts'

/** What a publish would do to the store. A dry run shows it; `deploy` carries it out. */
export interface Plan {
  readonly uploads: readonly Upload[]
  /** Keys whose bytes and headers lie there already. */
  readonly keeps: readonly string[]
  readonly deletes: readonly string[]
}

/**
 * Compare what should be live with what is. Digests are of the plaintext and the headers, so a
 * fresh nonce does not make an unchanged page look changed. Pure.
 *
 * @param live objects of the owners in hand only: whatever of them `artifacts` lacks is deleted.
 *   Assets are never deleted here, since other live pages may name them.
 * @param releaseOf the release an artifact is written for.
 */
export function plan(
  artifacts: readonly Artifact[],
  live: readonly LiveObject[],
  releaseOf: (artifact: Artifact) => ReleaseId,
): Plan {
  const before = new Map(live.map((object) => [object.key, object]))
  const next = new Map(artifacts.map((artifact) => [artifact.key, artifact]))
  const uploads: Upload[] = []
  const keeps: string[] = []

  for (const artifact of next.values()) {
    const digest = sha256(artifact.body)
    const headerDigest = sha256(JSON.stringify(objectHeaders(artifact.key)))
    const reason = reasonToUpload(before.get(artifact.key), digest, headerDigest)
    if (reason === null) keeps.push(artifact.key)
    else uploads.push({ artifact, digest, headerDigest, reason, releaseId: releaseOf(artifact) })
  }

  const deletes = live.filter(({ key, digest }) => digest !== null && !next.has(key) && !isAsset(key))
  return { uploads, keeps, deletes: deletes.map(({ key }) => key).sort() }
}

function reasonToUpload(
  before: LiveObject | undefined,
  digest: string,
  headerDigest: string,
): Upload['reason'] | null {
  if (before === undefined || before.digest === null) return 'new'
  if (before.digest !== digest) return 'changed'
  return before.headerDigest === headerDigest ? null : 'headers'
}

function isAsset(key: string): boolean {
  return key.startsWith('_assets/')
}

/** In hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

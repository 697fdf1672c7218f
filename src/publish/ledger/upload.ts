import type { Artifact } from '../../domain/artifact.ts'
import type { UploadReason } from '../../domain/dry-run.ts'
import type { Stamp } from '../../domain/release.ts'

/** An artifact to be uploaded, with what the database records about the object. */
export interface Upload {
  readonly artifact: Artifact
  /** SHA-256 of the plaintext, hex. */
  readonly digest: string
  /** SHA-256 of the object's headers, hex. */
  readonly headerDigest: string
  readonly reason: UploadReason
  /** Bytes as stored: after sealing. */
  readonly size: number
  /** Id of the key that seals the object; null when it is stored as plaintext. */
  readonly keyId: string | null
  /** The publish that wrote the object. */
  readonly writtenBy: Stamp
}

/** A completed upload without its body, which can be garbage collected. */
export interface Uploaded extends Omit<Upload, 'artifact'> {
  readonly artifact: Omit<Artifact, 'body'>
}

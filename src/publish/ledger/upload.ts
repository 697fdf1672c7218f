import type { Artifact } from '../../domain/artifact.ts'
import type { UploadReason } from '../../domain/dry-run.ts'
import type { Stamp } from '../../domain/release.ts'

/** Artifact to be uploaded, with the facts of its row. */
export interface Upload {
  readonly artifact: Artifact
  /** SHA-256 of the plaintext, hex. */
  readonly digest: string
  /** SHA-256 of the object's headers, hex. */
  readonly headerDigest: string
  readonly reason: UploadReason
  /** Bytes as stored: after sealing. */
  readonly size: number
  /** Id of the sealing key; null for plaintext. */
  readonly keyId: string | null
  /** Publish that wrote the object. */
  readonly writtenBy: Stamp
}

/** Completed upload, without its body to free the memory. */
export interface Uploaded extends Omit<Upload, 'artifact'> {
  readonly artifact: Omit<Artifact, 'body'>
}

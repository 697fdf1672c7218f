import type { ReleaseOutcome } from './release.ts'

/** Why an object is uploaded. */
export type UploadReason = 'new' | 'changed' | 'headers'

/** Result of a dry run of a publish. */
export interface DryRun {
  /** The outcome that the release would have; its times and ids are placeholders. */
  readonly outcome: ReleaseOutcome
  /** Sorted by key. */
  readonly objects: readonly PlannedObject[]
}

export interface PlannedObject {
  /** Relative to the project's prefix. */
  readonly key: string
  readonly action: 'put' | 'keep' | 'delete'
  /** `obsolete`: no longer part of the page or its site. */
  readonly reason: UploadReason | 'unchanged' | 'obsolete'
  /** In bytes, of the plaintext. */
  readonly size: number
}

import type { ReleaseOutcome } from './release.ts'

/** Why an object is uploaded. */
export type UploadReason = 'new' | 'changed' | 'headers'

/** What a publish would do. */
export interface DryRun {
  /** As the release would end; its times and ids mean nothing yet. */
  readonly outcome: ReleaseOutcome
  /** Sorted by key. */
  readonly objects: readonly PlannedObject[]
}

export interface PlannedObject {
  /** Relative to the project's prefix. */
  readonly key: string
  readonly action: 'put' | 'keep' | 'delete'
  /** `obsolete`: no longer a part of the page or its site. */
  readonly reason: UploadReason | 'unchanged' | 'obsolete'
  /** In bytes, of the plaintext. */
  readonly size: number
}

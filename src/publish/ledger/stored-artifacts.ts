import type { Artifact } from '../../domain/artifact.ts'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { LiveDigests } from '../../domain/staleness.ts'
import type { Lease } from './leases.ts'

/**
 * Bytes of pages and their assets, stored so that a revert or a rollback can put them back unchanged, and the
 * keys that seal a project's objects. Implemented by `db/ledger/stored-artifacts.ts`.
 */
export interface StoredArtifacts {
  /** Finds these bytes; null when they are not stored. */
  find(projectId: ProjectId, digest: string): Promise<StoredArtifact | null>
  /** Stores artifacts of a claimed release before its commit, to free their memory. */
  store(lease: Lease, artifacts: readonly StoredArtifact[]): Promise<void>
  /** An original, or a variant of one, with these bytes in the media store; null when none is stored. */
  findOriginal(
    projectId: ProjectId,
    digest: string,
  ): Promise<{ readonly key: string; readonly bytes: number } | null>
  /** Objects and digests put live by a release; null when there were none, or they were pruned. */
  contentsOf(id: ReleaseId): Promise<ReleaseContents | null>

  /** Existing content keys of the project, newest first. */
  contentKeys(projectId: ProjectId): Promise<readonly WrappedKey[]>
  /** Projects in Data Mode with artifacts in plaintext. */
  projectsToSeal(): Promise<readonly ProjectId[]>
  /** Artifacts of a project in plaintext, at most `limit`. */
  findUnsealed(projectId: ProjectId, limit: number): Promise<readonly StoredArtifact[]>
  /** Replaces plaintext by the sealed bytes. Skips artifacts pruned since. */
  replaceSealed(projectId: ProjectId, sealed: readonly StoredArtifact[]): Promise<void>
}

export interface StoredArtifact {
  /** SHA-256 of the plaintext, hex. */
  readonly digest: string
  /** Compressed with gzip, then sealed with the project's key of version 0 if `sealed`. */
  readonly bytes: Uint8Array
  readonly sealed: boolean
}

/** A key of a project, wrapped with a master key. */
export interface WrappedKey {
  /** 0 seals stored artifacts; content keys count from 1. */
  readonly version: number
  readonly masterKeyId: string
  readonly sealed: string
}

/** Everything a release put live for its page. */
export interface ReleaseContents {
  readonly digests: LiveDigests
  /** All objects of the page, uploaded by this release or unchanged. */
  readonly objects: readonly ReleaseObject[]
}

/** A page's own file, or an asset it references. */
export interface ReleaseObject extends Pick<Artifact, 'key' | 'stage'> {
  /** SHA-256 of the plaintext, hex. */
  readonly digest: string
}

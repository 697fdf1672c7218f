import type { ProjectId, WebhookId } from '../../domain/ids.ts'
import type { WrappedKey } from '../../publish/ledger/stored-artifacts.ts'

/** Secrets of a project that no available master key opens. */
export interface LostSecrets {
  readonly projectId: ProjectId
  readonly kind: 'content key' | 'webhook secret'
}

export interface LostSecretRepository {
  /** Projects with secrets that none of these master keys sealed, each kind once. Without ids, projects with any. */
  find(masterKeyIds: readonly string[]): Promise<readonly LostSecrets[]>
  /**
   * Replaces the lost secrets of a project with new ones. Removes the stored bytes that a lost key sealed. Publishes
   * are then refused until the content key is regenerated, because readers do not have the new one.
   */
  replace(projectId: ProjectId, masterKeyIds: readonly string[], create: CreateSecrets): Promise<void>
}

/** Creates random secrets, sealed with the newest master key. */
export interface CreateSecrets {
  readonly contentKey: (version: number) => WrappedKey
  readonly webhookSecret: (id: WebhookId) => SealedSecret
}

/** The wrapped keys of all projects. */
export interface ContentKeyRepository {
  /** Keys that another master key wraps, at most `limit`. */
  findWrappedByOther(
    masterKeyId: string,
    limit: number,
  ): Promise<readonly (WrappedKey & { readonly projectId: ProjectId })[]>
  /** Replaces a wrapped key, unless it was destroyed or replaced since. */
  rewrap(projectId: ProjectId, current: WrappedKey, rewrapped: WrappedKey): Promise<void>
}

/** A webhook's secret, sealed with a master key. */
export interface SealedSecret {
  readonly masterKeyId: string
  /** Base64. */
  readonly sealed: string
}

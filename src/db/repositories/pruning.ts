import type { UserId } from '../../domain/ids.ts'

/**
 * Deletes history that is no longer needed. Each call examines a bounded number of rows after the given cursor and
 * returns the next cursor, or null at the end.
 */
export interface PruningRepository {
  /**
   * Deletes releases older than 90 days, except live ones and the newest 50 of each page; and releases without an
   * effect after two days.
   */
  releases(now: string, after: PruneCursor | null): Promise<PruneCursor | null>
  /**
   * Deletes the oldest ended releases of an account's largest project, and the files that only they reference, except
   * live releases and the newest 5 of each page; a bounded number per call.
   *
   * @returns whether any was deleted.
   */
  oldestOf(userId: UserId): Promise<boolean>
  /** Deletes artifacts that neither a release nor a live object references. */
  artifacts(after: PruneCursor | null): Promise<PruneCursor | null>
  /** Deletes settings that neither a release nor a live site references. */
  settings(after: PruneCursor | null): Promise<PruneCursor | null>
}

/** An opaque position in the rows. */
export type PruneCursor = string

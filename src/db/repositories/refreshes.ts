import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'

/** A live page with images of which smaller ones came after its release was accepted. */
export interface LatePage {
  readonly pageId: PageId
  /** The live release. */
  readonly releaseId: ReleaseId
  /** When the first of them came. */
  readonly since: string
  /** True if no more are to come. */
  readonly isComplete: boolean
  /** When the service last published it again for its images; null when it did not lately. */
  readonly refreshedAt: string | null
}

/** Pages that lack smaller images from after their publish. */
export interface RefreshRepository {
  /**
   * The live pages with images of which smaller ones came since `from`.
   *
   * @param lately earlier refreshes are not looked for.
   */
  latePages(projectId: ProjectId, from: string, lately: string): Promise<readonly LatePage[]>
}

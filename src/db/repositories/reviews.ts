import type { PageId, ProjectId } from '../../domain/ids.ts'
import type { Review } from '../../domain/review.ts'

/** A proposed page as a list shows it. */
export interface ProposedPage extends Review {
  readonly title: string
}

export interface ReviewRepository {
  /** Finds the review of a page; null when the page is not under review. */
  find(pageId: PageId): Promise<Review | null>
  /** Replaces an earlier review of the page. */
  put(review: Review): Promise<void>
  /** @returns whether there was one. */
  delete(pageId: PageId): Promise<boolean>
  /** Pages that wait for an editor, oldest proposal first. */
  proposed(projectId: ProjectId, limit: number): Promise<readonly ProposedPage[]>
}

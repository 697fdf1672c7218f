import type { Knex } from 'knex'
import type { PageId, ProjectId, UserId } from '../domain/ids.ts'
import type { Review } from '../domain/review.ts'
import type { ReviewRepository } from './repositories/reviews.ts'

interface ReviewRow {
  readonly page_id: PageId
  readonly project_id: ProjectId
  readonly state: Review['state']
  readonly proposed_by: UserId
  readonly proposed_at: string
  readonly version: number
  readonly note: string
  readonly returned_by: UserId | null
  readonly returned_at: string | null
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createReviewRepository(db: Knex): ReviewRepository {
  const reviews = () => db<ReviewRow>('page_reviews')

  return {
    async find(pageId) {
      const row = await reviews().where({ page_id: pageId }).first()
      return row === undefined ? null : toReview(row)
    },

    async put(review) {
      await reviews().insert(toRow(review)).onConflict('page_id').merge()
    },

    async delete(pageId) {
      return (await reviews().where({ page_id: pageId }).delete()) > 0
    },

    async proposed(projectId, limit) {
      const rows = await db('page_reviews')
        .join('pages', 'pages.id', 'page_reviews.page_id')
        .where({ 'page_reviews.project_id': projectId, 'page_reviews.state': 'proposed' })
        .orderBy('page_reviews.proposed_at')
        .limit(limit)
        .select<(ReviewRow & { readonly title: string })[]>('page_reviews.*', 'pages.title')
      return rows.map((row) => ({ ...toReview(row), title: row.title }))
    },
  }
}

function toReview(row: ReviewRow): Review {
  return {
    pageId: row.page_id,
    projectId: row.project_id,
    state: row.state,
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at,
    version: row.version,
    note: row.note,
    returnedBy: row.returned_by,
    returnedAt: row.returned_at,
  }
}

function toRow(review: Review): ReviewRow {
  return {
    page_id: review.pageId,
    project_id: review.projectId,
    state: review.state,
    proposed_by: review.proposedBy,
    proposed_at: review.proposedAt,
    version: review.version,
    note: review.note,
    returned_by: review.returnedBy,
    returned_at: review.returnedAt,
  }
}

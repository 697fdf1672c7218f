import { type PageId, prefixed } from '../../domain/ids.ts'
import type { Job } from '../../domain/job.ts'
import { pageEndpoints } from '../page-endpoints.ts'
import { presentPage } from './present.ts'

export const { currentPage, pageNamedByBody, pending } = pageEndpoints(
  (found) => ({ data: presentPage(found) }),
  (job) => ({ data: presentPending(job) }),
)

function presentPending({ id, subject }: Job) {
  return { page_id: prefixed('page', subject as PageId), status: 'pending', job_id: prefixed('job', id) }
}

import { z } from 'zod'
import type { JobState } from '../../domain/job.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { BulkPublish } from '../../services/publishing/bulk-publishing.ts'
import { parseBody } from '../parse.ts'
import { walkedSlice } from '../query-fields.ts'

/** Page ids per request. */
const MAX_PAGES = 10_000

const pages = z
  .union([
    z.enum(['all', 'stale'], 'must be all, stale or a list of page ids.'),
    z
      .array(z.string())
      .min(1, 'must name at least one page.')
      .max(MAX_PAGES, `must name at most ${MAX_PAGES} pages.`),
  ])
  .meta({
    description:
      '`all`: all live pages; `stale`: live pages that another publish would change; or a list of page ids, which may include drafts and archived pages.',
    examples: ['stale'],
  })

export const ListSchedule = z.object(walkedSlice(25))

/** The statuses of jobs in the API, with the states that each stands for. */
export const STATES_OF = {
  queued: ['queued'],
  running: ['running'],
  succeeded: ['succeeded'],
  failed: ['failed', 'cancelled'],
} as const satisfies Readonly<Record<string, readonly JobState[]>>

export const jobStatus = z.enum(
  Object.keys(STATES_OF) as (keyof typeof STATES_OF)[],
  'must be queued, running, succeeded or failed.',
)

export const ListJobs = z.object({ ...walkedSlice(25), status: jobStatus.optional() })

export const PublishPages = z.strictObject({
  pages,
  strict: z
    .boolean()
    .optional()
    .meta({ description: 'True: refuses pages that would go live with a warning.' }),
})

/** @throws {ServiceError} that names every invalid field. */
export function readPublishPages(body: JsonObject): BulkPublish {
  const { pages, strict = false } = parseBody(PublishPages, body)
  return { selection: pages, strict }
}

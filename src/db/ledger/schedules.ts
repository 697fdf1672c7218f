import type { Knex } from 'knex'
import { SCHEDULED_PUBLISH } from '../../domain/job.ts'
import type { Release } from '../../domain/release.ts'
import { createJobQueue } from '../jobs.ts'

/** Whatever else has happened to a page takes the place of what was scheduled for it before. */
export async function cancelSchedules(trx: Knex, ended: readonly Release[], now: string): Promise<void> {
  const releases = new Map<string, Release>(ended.map((release) => [release.pageId, release]))
  await createJobQueue(trx).cancel(
    SCHEDULED_PUBLISH,
    [...releases.keys()],
    ({ subject, createdAt }) => {
      const release = releases.get(subject ?? '')
      if (release === undefined || release.createdAt < createdAt) return null
      return { pageId: release.pageId, message: `Cancelled: the page was ${pastOf(release)} meanwhile.` }
    },
    now,
  )
}

function pastOf({ statusAfter }: Release): string {
  if (statusAfter === null) return 'deleted'
  return statusAfter === 'draft' ? 'unpublished' : statusAfter
}

import type { Knex } from 'knex'
import { SCHEDULED_PUBLISH, type SchedulePayload } from '../../domain/job.ts'
import type { Release } from '../../domain/release.ts'
import { createJobQueue } from '../jobs.ts'

/** Cancels scheduled publishes of pages published, unpublished or deleted since. */
export async function cancelSchedules(trx: Knex, ended: readonly Release[], now: string): Promise<void> {
  const byPeople = ended.filter(({ op }) => op !== 'refresh')
  const releases = new Map<string, Release>(byPeople.map((release) => [release.pageId, release]))
  await createJobQueue(trx).cancel(
    SCHEDULED_PUBLISH,
    [...releases.keys()],
    ({ subject, payload }) => {
      const release = releases.get(subject ?? '')
      // By position, because the clock may have been set back since the scheduling.
      const { afterSeq } = payload as unknown as SchedulePayload
      if (release === undefined || release.seq <= afterSeq) return null
      return {
        pageId: release.pageId,
        message: `Cancelled: the page was ${participleOf(release)} in the meantime.`,
      }
    },
    now,
  )
}

function participleOf({ statusAfter }: Release): string {
  if (statusAfter === null) return 'deleted'
  return statusAfter === 'draft' ? 'unpublished' : statusAfter
}

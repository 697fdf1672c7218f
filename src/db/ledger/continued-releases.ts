import type { Knex } from 'knex'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import { CONTINUED_PUBLISH, jobOfRelease } from '../../domain/job.ts'
import { createJobQueue } from '../jobs.ts'
import type { ReleaseRow } from '../release-rows.ts'
import { selectInChunks } from './objects.ts'

/** Takes the deadline from these unfinished releases, and adds a following job for each one of a page. */
export async function continueInBackground(
  trx: Knex,
  releases: readonly ReleaseId[],
  now: string,
): Promise<void> {
  const rows = await selectInChunks(releases, (ids) =>
    trx<ReleaseRow>('releases')
      .whereIn('id', ids)
      .whereIn('state', ['queued', 'claimed'])
      .whereNotNull('deadline_at')
      .update({ deadline_at: null })
      .returning<Pick<ReleaseRow, 'id' | 'project_id' | 'page_id'>[]>(['id', 'project_id', 'page_id']),
  )
  const ofPages = rows.filter((row) => row.page_id !== null)
  await createJobQueue(trx).enqueueAll(
    ofPages.map((row) => ({
      id: jobOfRelease(row.id),
      projectId: row.project_id,
      kind: CONTINUED_PUBLISH,
      subject: row.page_id,
      payload: null,
      total: 1,
      dueAt: now,
      createdAt: now,
    })),
  )
}

/** Reports whether files of an unawaited release are being written. */
export async function isDeployingInBackground(trx: Knex, projectId: ProjectId): Promise<boolean> {
  const row = await trx<ReleaseRow>('releases')
    .where({ project_id: projectId, state: 'claimed', is_deploying: true, deadline_at: null })
    .first('id')
  return row !== undefined
}

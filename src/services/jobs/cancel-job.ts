import type { Repositories } from '../../db/repositories.ts'
import type { Actor } from '../../domain/audit.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type PageId, prefixed, type ReleaseId } from '../../domain/ids.ts'
import { type Job, PUBLISH_PAGES, SCHEDULED_PUBLISH, STATE_PHRASES } from '../../domain/job.ts'
import type { ReleaseFailure } from '../../domain/release.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { progressOf } from '../publishing/publish-pages-job.ts'
import { acceptedBy, pageOf } from '../publishing/scheduled-publish-job.ts'

const CANCELLED: ReleaseFailure = { name: 'conflict', message: 'Cancelled on request.' }

/**
 * Cancels a bulk or scheduled publish. Pages whose files are being uploaded go live all the same; the others are
 * recorded as failed. Call it in the transaction that read the job.
 *
 * @returns the job as it is now.
 * @throws {ServiceError} `conflict` when the job has ended, has no page left to cancel, or publishes no pages.
 */
export async function cancelJob(
  repositories: Pick<Repositories, 'jobs' | 'releases' | 'audit'>,
  ports: Pick<ServiceContext, 'newId' | 'now'>,
  actor: Actor,
  job: Job,
): Promise<Job> {
  const { jobs, releases } = repositories
  const now = ports.now()
  const name = `The job ${prefixed('job', job.id)}`
  if (job.finishedAt !== null) throw new ServiceError('conflict', `${name} ${STATE_PHRASES[job.state]}.`)
  const pending = pendingPages(job)
  if (pending === null)
    throw new ServiceError('conflict', `${name} publishes no pages; it cannot be cancelled.`)
  const accepted = pending.flatMap(({ release }) => (release === null ? [] : [release]))
  const withdrawn = await releases.withdraw(job.projectId, accepted, CANCELLED, now)
  const cancelled = pending.filter(({ release }) => release === null || withdrawn.has(release))
  if (cancelled.length === 0 && job.total > 0)
    throw new ServiceError('conflict', `${name} is uploading its last pages; it is too late to cancel it.`)
  const faults = cancelled.map(({ pageId }) => ({ pageId, message: CANCELLED.message }))
  await jobs.cancelJob(job.id, [...job.failed, ...faults], now)
  await recordAct(repositories, ports, actor, {
    act: 'job.cancel',
    of: { projectId: job.projectId },
    target: job.id,
  })
  return (await jobs.find(job.id)) ?? job
}

interface PendingPage {
  readonly pageId: PageId
  /** The accepted release; null when none has been accepted yet. */
  readonly release: ReleaseId | null
}

/** The pages of the job whose end is not recorded; null for a job of another kind. */
function pendingPages(job: Job): readonly PendingPage[] | null {
  if (job.kind === SCHEDULED_PUBLISH) return [{ pageId: pageOf(job), release: acceptedBy(job)?.id ?? null }]
  if (job.kind !== PUBLISH_PAGES) return null
  const { rest, waiting } = progressOf(job)
  return [
    ...waiting.map(([pageId, release]) => ({ pageId, release })),
    ...rest.map((pageId) => ({ pageId, release: null })),
  ]
}

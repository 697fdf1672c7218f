import type { AuditFilter } from '../../db/repositories/audit.ts'
import type { Overview } from '../../db/repositories/overview.ts'
import { type AuditEntry, OPERATOR } from '../../domain/audit.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type DeliveryId, type JobId, prefixed } from '../../domain/ids.ts'
import { DELIVERY, type Job, type JobState, SLOW_DELIVERY, STATE_PHRASES } from '../../domain/job.ts'
import type { Listed } from '../../domain/paging.ts'
import type { JobCounts } from '../../jobs/job-queue.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { cancelJob } from '../jobs/cancel-job.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** State of an installation. */
export interface Status extends Overview {
  readonly queue: readonly JobCounts[]
}

/** Overview of a service for its operator. */
export interface OperatorStatus {
  readonly version: string
  readonly node: string
  readonly role: string
  readonly database: string
  readonly uptimeSeconds: number
  /** Processes of the installation, this one among them. The version is null for one that did not record it. */
  readonly processes: readonly { readonly role: string | null; readonly version: string | null }[]
  readonly counts: Status
  /** Results of `quoin doctor`, without its slow checks. */
  readonly findings: readonly {
    readonly check: string
    readonly level: 'ok' | 'warning' | 'error'
    readonly message: string
    readonly remedy: string | null
  }[]
}

/** Tools of the operator that need no API key: state, jobs and retries. */
export type Operations = ReturnType<typeof createOperations>

export function createOperations({ db, newId, now }: Pick<ServiceContext, 'db' | 'newId' | 'now'>) {
  return {
    /** Counts failures of the last 24 hours. */
    async status(): Promise<Status> {
      const since = new Date(Date.parse(now()) - DAY_MS).toISOString()
      return { ...(await db.read.overview.read(since)), queue: await db.read.jobs.countByKind(now()) }
    },

    /** The audit log of an account, of a project, or of all, newest first. */
    audit: (filter: AuditFilter, limit: number): Promise<Listed<AuditEntry>> =>
      db.read.audit.list(filter, { limit, offset: 0 }),

    /** Newest first. */
    jobs: (states: readonly JobState[], limit: number): Promise<Listed<Job>> =>
      db.read.jobs.list({ projectId: null, kinds: null, states }, { limit, offset: 0 }),

    /** Cancels a bulk or scheduled publish. @throws {ServiceError} `not_found`, or `conflict` as `cancelJob`. */
    async cancel(id: JobId): Promise<Job> {
      return db.write(async (repositories) => {
        const job = await repositories.jobs.find(id)
        if (job === null) throw noSuchJob(id)
        return cancelJob(repositories, { newId, now }, OPERATOR, job)
      })
    },

    /**
     * Runs a waiting job now, or a failed one again from the start.
     *
     * @throws {ServiceError} `not_found`, or `conflict` when it runs, has succeeded or was cancelled.
     */
    async retry(id: JobId): Promise<Job> {
      return db.write(async (repositories) => {
        const { jobs, webhooks } = repositories
        const job = await jobs.find(id)
        if (job === null) throw noSuchJob(id)
        if (!(await jobs.retry(id, now())))
          throw new ServiceError('conflict', `The job ${prefixed('job', id)} ${STATE_PHRASES[job.state]}.`)
        if (job.kind === DELIVERY || job.kind === SLOW_DELIVERY)
          await webhooks.makeDue(job.payload as DeliveryId, now())
        await recordAct(repositories, { newId, now }, OPERATOR, {
          act: 'job.retry',
          of: { projectId: job.projectId },
          target: job.id,
        })
        return (await jobs.find(id)) ?? job
      })
    },
  }
}

function noSuchJob(id: JobId): ServiceError {
  return new ServiceError('not_found', `There is no job ${prefixed('job', id)}.`)
}

import type { JobId, ProjectId } from '../domain/ids.ts'
import type { Job, JobProgress, JobState, NewJob, PageFailure } from '../domain/job.ts'
import type { TurnLimits } from '../domain/job-turns.ts'
import type { Listed, Slice } from '../domain/paging.ts'
import type { ObservedLease } from '../platform/lease-watch.ts'

/**
 * The durable job queue. Implemented by `db/jobs.ts`; `test/contract/job-queue-contract.ts` is the executable
 * form of this comment.
 *
 * Call every method inside the caller's transaction: then a job exists exactly when the change that requested
 * it does, and its progress matches its effects. A method that takes a lease changes nothing and throws
 * `JobLeaseLost` when the lease is no longer valid.
 */
export interface JobQueue {
  enqueue(job: NewJob): Promise<void>
  enqueueAll(jobs: readonly NewJob[]): Promise<void>
  /**
   * Enqueues a job, unless one of its kind about its subject is queued: that one becomes due earlier where it would be
   * later. A running one does not count, since it may have looked already.
   */
  enqueueOnce(job: NewJob): Promise<void>
  find(id: JobId): Promise<Job | null>
  /** Number of a project's queued and running jobs of this kind. */
  countUnfinished(projectId: ProjectId, kind: string): Promise<number>
  /** Reports whether a job of the project of one of these kinds runs or is due. */
  hasDue(projectId: ProjectId, kinds: readonly string[], now: string): Promise<boolean>
  /** The queued and running jobs of this kind about these subjects, in any order. */
  findUnfinished(kind: string, subjects: readonly string[]): Promise<readonly Job[]>
  /** A project's queued jobs of this kind, earliest due first. */
  listQueued(projectId: ProjectId, kind: string, slice: Slice): Promise<Listed<Job>>

  /** Reports whether `claim` would find a job. */
  isDue(lane: Lane, holder: string, now: string): Promise<boolean>
  /**
   * Claims due jobs of this kind, at most `limit`, and leases them to the holder. Accounts with the fewest running
   * jobs come first, then their projects with the fewest; in a lane with a limit per subject, then the subjects; then
   * the longest due.
   */
  claim(lane: Lane, holder: string, limit: number, now: string): Promise<readonly ClaimedJob[]>
  /** Renews the holder's leases on these jobs. */
  renew(holder: string, ids: readonly JobId[]): Promise<void>
  /** Jobs that match, newest first. Fewer than `limit` when they are large together, but at least one. */
  list(filter: JobFilter, slice: Slice): Promise<Listed<Job>>
  /** Makes a queued job due now, or queues a failed one again from the start. False for a job in any other state. */
  retry(id: JobId, now: string): Promise<boolean>
  /** Queued and running jobs by kind; kinds without any are left out. */
  countByKind(now: string): Promise<readonly JobCounts[]>
  /** The leases of all running jobs. */
  running(): Promise<readonly JobLeaseState[]>
  /** Ends an abandoned lease and queues its job again. False when the lease changed since it was observed. */
  expire(observed: JobLeaseState): Promise<boolean>

  /** Records progress. When `done` has grown, the count of attempts starts again at this run. */
  recordProgress(lease: JobLease, progress: JobProgress): Promise<void>
  /** Ends the job: as succeeded when nothing failed, otherwise as failed. */
  finish(lease: JobLease, failed: readonly PageFailure[], now: string): Promise<void>
  /** Ends the job and deletes its row. */
  delete(lease: JobLease): Promise<void>
  /** Queues the job again, due at `dueAt`, optionally as a job of another kind. */
  postpone(lease: JobLease, dueAt: string, kind?: string): Promise<void>
  /** Queues the job again as if this run had not started, behind the jobs that are due now. */
  requeue(lease: JobLease, now: string): Promise<void>
  /**
   * Cancels jobs about these subjects that have had no effect yet, running ones included.
   *
   * @param faultOf the reason to record for a job; null leaves the job alone.
   */
  cancel(
    kind: string,
    subjects: readonly string[],
    faultOf: (job: Job) => PageFailure | null,
    now: string,
  ): Promise<void>
  /** Deletes a project's queued jobs of this kind; a running one is left alone. */
  deleteQueued(projectId: ProjectId, kind: string): Promise<void>
  /**
   * Cancels an unfinished job, whatever it has done. A run of it loses its lease.
   *
   * @param failed all failures to record.
   */
  cancelJob(id: JobId, failed: readonly PageFailure[], now: string): Promise<void>
  /** Deletes some of the jobs that ended before the given time. False when none is left. */
  prune(endedBefore: string): Promise<boolean>
}

/** Filter of jobs: null matches any. */
export interface JobFilter {
  readonly projectId: ProjectId | null
  readonly kinds: readonly string[] | null
  readonly states: readonly JobState[] | null
}

/** Access to the queue. The service's database satisfies this interface. */
export interface JobDatabase {
  readonly read: { readonly jobs: JobQueue }
  /** Runs `work` in one transaction, which rolls back when `work` rejects. */
  /** @param options.alone names what only one process may do at a time. */
  write<T>(
    work: (repositories: { readonly jobs: JobQueue }) => Promise<T>,
    options?: { readonly alone?: string },
  ): Promise<T>
}

/** A kind of jobs with its limits. */
export interface Lane extends TurnLimits {
  readonly name: string
  /** Kinds that go first: no job of the lane starts while one of these of its project runs or is due. */
  readonly behind?: readonly string[]
}

/** The right to run one job. It ends when the job is finished, expired or cancelled. */
export interface JobLease {
  readonly id: JobId
  readonly holder: string
  /** Grows each time the job is claimed or cancelled. */
  readonly fence: number
}

export interface ClaimedJob {
  readonly job: Job
  readonly lease: JobLease
}

/** Counts of the unfinished jobs of one kind. */
export interface JobCounts {
  readonly kind: string
  readonly running: number
  /** Queued and due. */
  readonly due: number
  /** Queued and not yet due. */
  readonly waiting: number
  /** Time at which the longest due job became due; null when none is due. */
  readonly dueSince: string | null
}

/** The lease of a running job as other processes observe it. */
export interface JobLeaseState extends ObservedLease {
  readonly id: JobId
}

/** The job was expired or cancelled; the process that catches this must stop working on it. */
export class JobLeaseLost extends Error {}

import type { Job, PageFailure } from '../domain/job.ts'
import type { JobLease, Lane } from './job-queue.ts'

/** A kind of job and the code that runs it. */
export interface JobKind extends Lane {
  /** Jobs of this kind that one process runs concurrently. */
  readonly concurrency: number
  /** Deletes a job's row when it succeeds, so that it has no history. */
  readonly deleteWhenDone?: true
  /** Maximum number of consecutive runs without progress; after that the job fails. */
  readonly attempts: number
  /** Delay before the next run in ms, after the given number of failed runs. */
  readonly backoff: (failedRuns: number) => number
  /**
   * Does the work, or resumes it from the job's checkpoint. A run may be interrupted anywhere and repeated, so record
   * an effect and the progress that accounts for it in one transaction.
   *
   * @param stopping aborted when the process shuts down: stop at the next checkpoint.
   * @returns the parts that failed; null when the run stopped before the end, at a shutdown or to let other jobs run; a
   *   postponement when the job has to wait; `ended` when the run itself has finished or postponed the job in the
   *   transaction of its last effect.
   * @throws {JobLeaseLost} when another process took over the job. Any other error leads to a retry.
   */
  run(
    job: Job,
    lease: JobLease,
    stopping: AbortSignal,
  ): Promise<readonly PageFailure[] | Postponement | 'ended' | null>
  /** Failures to record when the job runs out of attempts. */
  faultsOf(job: Job): readonly PageFailure[]
}

/** Makes a job wait until `dueAt`. It resumes as a job of kind `kind` if that is given. */
export interface Postponement {
  readonly dueAt: string
  readonly kind?: string
}

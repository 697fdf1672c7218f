import type { Job, JobFault } from '../domain/job.ts'
import type { Hold } from './job-queue.ts'

/** One sort of work and how it is done. */
export interface JobKind {
  readonly name: string
  /** Jobs of this kind that one process runs at once. */
  readonly concurrency: number
  /** Jobs about one subject that run at once, whoever runs them; absent where that does not matter. */
  readonly perSubject?: number
  /** True: nothing is kept of a job that has ended. */
  readonly isForgotten?: true
  /** Runs without progress, at the most; after that the job is given up. */
  readonly attempts: number
  /** Milliseconds until the next run, after so many that failed. */
  readonly backoff: (failedRuns: number) => number
  /**
   * Do the work, or go on with it where its checkpoint says. May be called again after it was broken
   * off anywhere: an effect and the progress that notes it belong into one transaction.
   *
   * @param stopping tells it to come to rest at the next checkpoint.
   * @returns what could not be done; null when it came to rest before its end; when to go on, when it is to
   *   wait; `ended` when the run itself has ended the job, or put it off, together with its last effect.
   * @throws what makes another run worth while; `HoldLost` when the job is no longer ours.
   */
  run(job: Job, hold: Hold, stopping: AbortSignal): Promise<readonly JobFault[] | Later | 'ended' | null>
  /** All that could not be done of a job that is given up. */
  faultsOf(job: Job): readonly JobFault[]
}

/** A job that is to wait. It goes on as one of another kind where that is named. */
export interface Later {
  readonly dueAt: string
  readonly kind?: string
}

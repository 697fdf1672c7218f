import type { JobId, ProjectId } from '../domain/ids.ts'
import type { Job, JobFault, JobProgress, JobState, NewJob } from '../domain/job.ts'

/**
 * Work that waits, runs and ends, durably. Implemented by `db/jobs.ts`;
 * `test/contract/job-queue-contract.ts` is the executable form of this comment.
 *
 * Every method belongs into a transaction of the caller's, so that a job exists exactly when what
 * asked for it does, and has come exactly as far as its effects have. A method that takes a hold
 * changes nothing and throws `HoldLost` when the job is no longer the holder's.
 */
export interface JobQueue {
  enqueue(job: NewJob): Promise<void>
  /** The same for many. */
  enqueueAll(jobs: readonly NewJob[]): Promise<void>
  find(id: JobId): Promise<Job | null>
  /** How many jobs of this kind a project has that have not ended. */
  unfinished(projectId: ProjectId, kind: string): Promise<number>
  /** The jobs of this kind that a project has and nobody has begun, those due first in front. */
  waiting(
    projectId: ProjectId,
    kind: string,
    slice: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly Job[]; readonly total: number }>

  /** Whether `take` would find one. */
  isDue(lane: Lane, now: string): Promise<boolean>
  /**
   * Begin the jobs of this kind that have been due longest, at most `limit`; they are the holder's now.
   * Where it matters how many of a subject run, those come first whose subjects have the fewest running.
   */
  take(lane: Lane, holder: string, limit: number, now: string): Promise<readonly HeldJob[]>
  /** Show that the holder of these jobs lives. */
  beat(holder: string, ids: readonly JobId[]): Promise<void>
  /** Those in one of these states, newest first. */
  list(
    states: readonly JobState[],
    limit: number,
  ): Promise<{ readonly items: readonly Job[]; readonly total: number }>
  /** Have a job be due now that waits, or begin anew that failed; false for any other. */
  retry(id: JobId, now: string): Promise<boolean>
  /** How the jobs stand that have not ended, of each kind that has one. */
  standing(now: string): Promise<readonly KindStanding[]>
  /** All jobs that are held. */
  held(): Promise<readonly HeldState[]>
  /** Have a job wait again whose holder shows no life; false when it moved since. */
  free(seen: HeldState): Promise<boolean>

  /** Note how far it has come. Where more is done than before, the count of its runs begins anew. */
  progress(hold: Hold, progress: JobProgress): Promise<void>
  /** It succeeded, unless something failed. */
  finish(hold: Hold, failed: readonly JobFault[], now: string): Promise<void>
  /** The same, and keep nothing of it. */
  forget(hold: Hold): Promise<void>
  /** Have it wait until `dueAt`, as a job of this kind or of another. */
  postpone(hold: Hold, dueAt: string, kind?: string): Promise<void>
  /** Have it wait again as if this run had not begun. */
  giveBack(hold: Hold): Promise<void>
  /**
   * End the jobs about these subjects that have had no effect yet, whoever holds them.
   *
   * @param faultOf what the owner is told of each; null leaves it as it is.
   */
  cancel(
    kind: string,
    subjects: readonly string[],
    faultOf: (job: Job) => JobFault | null,
    now: string,
  ): Promise<void>
  /** Forget those that ended before this. */
  prune(endedBefore: string): Promise<void>
}

/** The jobs of a kind, and how many of one subject may run at once; any number when that is absent. */
export interface Lane {
  readonly name: string
  readonly perSubject?: number
}

/** A job that a holder may carry on with for as long as nobody has freed or cancelled it. */
export interface Hold {
  readonly id: JobId
  readonly holder: string
  /** Grows each time the job changes hands. */
  readonly fence: number
}

export interface HeldJob {
  readonly job: Job
  readonly hold: Hold
}

/** How many jobs of a kind have not ended. */
export interface KindStanding {
  readonly kind: string
  readonly running: number
  /** Those that could begin now. */
  readonly due: number
  /** Those that wait for their time. */
  readonly waiting: number
  /** When the oldest that is due became so; null when none is. */
  readonly dueSince: string | null
}

/** What everybody can see of a job that is held. */
export interface HeldState {
  readonly id: JobId
  readonly fence: number
  /** Grows as long as the holder lives. */
  readonly beat: number
}

/** The job was freed or cancelled; whoever gets this must stop working on it. */
export class HoldLost extends Error {}

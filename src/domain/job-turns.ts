import type { ProjectId, UserId } from './ids.ts'

/** Whose turn a job takes. */
export interface JobOwner {
  readonly account: UserId
  readonly project: ProjectId
  readonly subject: string | null
}

/** Queued jobs of one owner; `dueAt` is when the first of them became due. */
export interface DueJobs extends JobOwner {
  readonly dueAt: string
}

/** A running job. */
export interface RunningJob extends JobOwner {
  /** True if this process runs it. */
  readonly isOwn: boolean
}

/** Absent: no limit. */
export interface TurnLimits {
  /** Jobs of one account that run concurrently in this process. */
  readonly perAccount?: number
  /** Jobs about one subject that run concurrently, over all processes. */
  readonly perSubject?: number
}

/** Decides whose jobs run next. */
export interface JobTurns {
  /** The jobs whose turn it is; null when none may run now. */
  next(due: Iterable<DueJobs>): DueJobs | null
  /** Notes that a job of this owner runs in this process. */
  start(owner: JobOwner): void
}

/**
 * Turns by the number of running jobs, fewest first: accounts, then the projects of the account, then the subjects of
 * the project; then the jobs that have been due the longest.
 */
export function createJobTurns(
  running: readonly RunningJob[],
  { perAccount = Number.POSITIVE_INFINITY, perSubject = Number.POSITIVE_INFINITY }: TurnLimits,
): JobTurns {
  const counts = new Map<string | null, number>()
  for (const { isOwn, account, project, subject } of running) {
    if (isOwn) add(account)
    add(project)
    add(subject)
  }

  return {
    next(due) {
      let first: DueJobs | null = null
      for (const jobs of due) if (mayRun(jobs) && (first === null || isBefore(jobs, first))) first = jobs
      return first
    },

    start({ account, project, subject }) {
      for (const id of [account, project, subject]) add(id)
    },
  }

  function add(id: string | null): void {
    counts.set(id, countOf(id) + 1)
  }

  function countOf(id: string | null): number {
    return counts.get(id) ?? 0
  }

  function mayRun({ account, subject }: DueJobs): boolean {
    return countOf(account) < perAccount && countOf(subject) < perSubject
  }

  function isBefore(a: DueJobs, b: DueJobs): boolean {
    const difference =
      countOf(a.account) - countOf(b.account) ||
      countOf(a.project) - countOf(b.project) ||
      countOf(a.subject) - countOf(b.subject)
    return difference === 0 ? a.dueAt < b.dueAt : difference < 0
  }
}

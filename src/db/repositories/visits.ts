import type { ProjectId } from '../../domain/ids.ts'
import type { VisitCount } from '../../domain/visits.ts'

/** A range of days, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

export interface CountedDay {
  readonly day: string
  readonly people: number
  readonly agents: number
}

export interface CountedName {
  /** A path or a term; empty for those beyond the limit of their day. */
  readonly name: string
  readonly people: number
  readonly agents: number
}

/** Counts of a project, by day and by name. */
export interface VisitReport {
  /** Reads of pages. Days without any are absent. */
  readonly days: readonly CountedDay[]
  readonly totals: Readonly<Record<VisitCount['kind'], Omit<CountedDay, 'day'>>>
  /** Names with most people first, then with most agents; visits without a name last. */
  readonly names: Readonly<Record<VisitCount['kind'], readonly CountedName[]>>
}

/** Counts of visits by project, day, kind and name. They hold nothing about who visited. */
export interface VisitRepository {
  /** The projects among these that exist and count their visits. */
  counting(projectIds: readonly ProjectId[]): Promise<readonly ProjectId[]>
  /**
   * Adds to the stored counts. Names beyond the limit of a day and kind are counted without their name. Each project,
   * day, kind and name may occur once.
   */
  add(counts: readonly VisitCount[]): Promise<void>
  /** @param limit names of each kind. Terms that were searched rarely in these days are left out. */
  report(projectId: ProjectId, days: Days, limit: number): Promise<VisitReport>
  /** Deletes old counts, and rare terms. @returns false when nothing is left to delete. */
  prune(now: string): Promise<boolean>
  deleteOf(projectId: ProjectId): Promise<void>
}

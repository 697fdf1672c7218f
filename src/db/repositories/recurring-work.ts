/** When work is due that one process does for all, at most once in an interval. */
export interface RecurringWorkRepository {
  /**
   * Begins a run that is due, and makes the next one due at `nextAt`. The process that begins it may end without it: the
   * work then waits for the next run.
   *
   * @returns false when another process has begun it.
   */
  begin(name: string, now: string, nextAt: string): Promise<boolean>
}

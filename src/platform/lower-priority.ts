import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/** Requests to the service have priority over the work of its child processes. */
const NICENESS = 4

export function lowerPriority({ pid }: Pick<ChildProcess, 'pid'>): void {
  if (pid === undefined) return
  try {
    setPriority(pid, NICENESS)
  } catch {
    // Some systems do not allow it, or the process has ended. The work is done all the same.
  }
}

import type { Database } from '../../db/repositories.ts'
import type { ProjectId } from '../../domain/ids.ts'

/** Changes per transaction: some milliseconds. */
const STEP = 1_000

/**
 * Gives numbers to all changes of a project that were committed before the call. One process at a time numbers those of a
 * project, so that numbers follow the order in which changes can be read.
 */
export async function numberChanges({ write }: Pick<Database, 'write'>, projectId: ProjectId): Promise<void> {
  const next = () =>
    write(({ changes }) => changes.number(projectId, STEP), { alone: `changes of ${projectId}` })
  while ((await next()) === STEP);
}

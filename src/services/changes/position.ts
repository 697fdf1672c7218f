import { createHash } from 'node:crypto'
import { ServiceError } from '../../domain/errors.ts'
import type { ProjectId } from '../../domain/ids.ts'

/** What a position looks like: the number of a change, and a mark of the changes that it is among. */
export const POSITION = /^(\d{1,15})-([\w-]{16})$/

/** The changes of a project in one history of the database. */
interface NumberedChanges {
  readonly projectId: ProjectId
  readonly history: string
  /** Number of its newest change. */
  readonly newest: number
}

/** The position after a change, as clients hold it. */
export function positionAfter(seq: number, of: Omit<NumberedChanges, 'newest'>): string {
  return `${seq}-${markOf(of)}`
}

/**
 * The number of the change before a position.
 *
 * @throws {ServiceError} `gone` for a position of another project, of another history, or past the newest change.
 */
export function readPosition(text: string, of: NumberedChanges): number {
  const [, number = '', mark = ''] = POSITION.exec(text) ?? []
  const seq = Number(number)
  if (mark === markOf(of) && seq <= of.newest) return seq
  throw new ServiceError(
    'gone',
    'since: is no position of this project in this database, which may have been restored from a backup. Begin again without it.',
  )
}

function markOf({ projectId, history }: Omit<NumberedChanges, 'newest'>): string {
  return createHash('sha256').update(`${history} ${projectId}`).digest('base64url').slice(0, 16)
}

import type { Database } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Change, ChangeRecord } from '../../domain/change.ts'
import type { Project } from '../../domain/project.ts'
import { accessProject } from '../access.ts'
import type { NewId } from '../new-id.ts'
import { numberChanges } from './number-changes.ts'
import { positionAfter, readPosition } from './position.ts'

export interface ChangeQuery {
  /** A position, or `now` for the end; null for the start. */
  readonly since: string | null
  /** Kinds of records. Null for all. */
  readonly records: readonly ChangeRecord[] | null
  readonly limit: number
}

export interface ChangesSince {
  readonly project: Project
  /** Oldest first. */
  readonly changes: readonly Change[]
  /** The position after them. */
  readonly next: string
  readonly hasMore: boolean
}

export type ChangeService = ReturnType<typeof createChangeService>

export function createChangeService({ db, newId }: { readonly db: Database; readonly newId: NewId }) {
  return {
    /**
     * Reads what changed in a project since a position. It writes when there are changes that nobody has read.
     *
     * @throws {ServiceError} `gone` for a position that is not among these changes.
     */
    async list(caller: Caller, ref: string, { since, records, limit }: ChangeQuery): Promise<ChangesSince> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      const numbered = await numberedChanges(project)
      const isAtEnd = since === 'now'
      const after = isAtEnd ? numbered.newest : since === null ? 0 : readPosition(since, numbered)
      const found = isAtEnd
        ? []
        : await db.read.changes.list(project.id, { after, records, limit: limit + 1 })
      const changes = found.slice(0, limit)
      const hasMore = found.length > limit
      // The end was read before the list, which may go beyond it. Of changes that the filter left out, none is after it.
      const last = hasMore
        ? (changes.at(-1)?.seq ?? after)
        : Math.max(numbered.newest, changes.at(-1)?.seq ?? 0)
      return { project, changes, next: positionAfter(last, numbered), hasMore }
    },
  }

  async function numberedChanges({ id: projectId }: Project) {
    const { history, newest, isPending } = await db.read.changes.state(projectId)
    if (history !== null && !isPending) return { projectId, history, newest }
    if (history === null) await db.write(({ changes }) => changes.beginHistory(newId()))
    if (isPending) await numberChanges(db, projectId)
    const state = await db.read.changes.state(projectId)
    if (state.history === null) throw new Error('The history of the database was forgotten again.')
    return { projectId, history: state.history, newest: state.newest }
  }
}

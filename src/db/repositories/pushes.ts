import type { PageId, ProjectId, PushId } from '../../domain/ids.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import type { Push, PushConflict } from '../../domain/push.ts'

/** A conflict of the last push of a folder. */
export interface StoredConflict extends PushConflict {
  readonly folder: string
}

/** A conflict in a list, without the values of the file. */
export interface ListedConflict extends Pick<StoredConflict, 'pageId' | 'path'> {
  readonly title: string
}

export interface PushRepository {
  insert(push: Push): Promise<void>
  find(id: PushId): Promise<Push | null>
  update(push: Push): Promise<void>
  /** The push of the folder that runs. */
  running(projectId: ProjectId, folder: string, now: string): Promise<Push | null>
  /** The last push of the folder that sent anything or did not fail. */
  last(projectId: ProjectId, folder: string): Promise<Push | null>
  /** Newest first. @param folder null for all. */
  list(projectId: ProjectId, folder: string | null, slice: Slice): Promise<Listed<Push>>
  /** Replaces the conflicts of earlier pushes of the folder. Conflicts of pages outside the project are left out. */
  replaceConflicts(push: Push, conflicts: readonly PushConflict[]): Promise<void>
  /** By path. */
  conflicts(projectId: ProjectId, limit: number): Promise<readonly ListedConflict[]>
  countConflicts(projectId: ProjectId): Promise<number>
  conflictOf(pageId: PageId): Promise<StoredConflict | null>
  deleteConflict(pageId: PageId): Promise<void>
  /** Deletes old pushes, except the last one of each folder to each project. @returns false when nothing is left to delete. */
  prune(now: string): Promise<boolean>
}

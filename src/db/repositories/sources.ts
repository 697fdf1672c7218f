import type { AssetId, PageId, ProjectId } from '../../domain/ids.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import type { Source } from '../../domain/source.ts'

export type SourceId = PageId | AssetId | ProjectId

/** Files that records were last pushed from. A deleted page or asset loses its source. */
export interface SourceRepository {
  /** Finds the source of a record; null for one that no push has written. */
  find(recordId: SourceId): Promise<Source | null>
  /** The sources of these records, as far as a push has written them. Accepts at most 500 ids. */
  findMany(recordIds: readonly SourceId[]): Promise<ReadonlyMap<string, Source>>
  /** Replaces the former source of the record. */
  put(source: Source): Promise<void>
  /** The sources of a folder in a project, by path. */
  list(projectId: ProjectId, folder: string, slice: Slice): Promise<Listed<Source>>
}

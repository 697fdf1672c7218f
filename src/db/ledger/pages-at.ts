import type { Knex } from 'knex'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import { inChunks } from './objects.ts'

/** Live page at each of these paths. */
export async function pagesAt(
  db: Knex,
  projectId: ProjectId,
  paths: readonly string[],
): Promise<ReadonlyMap<string, PageId>> {
  const found = new Map<string, PageId>()
  await inChunks(paths, async (chunk) => {
    const rows = await db('live_pages')
      .where({ project_id: projectId })
      .whereIn('path', [...chunk])
      .select<{ path: string; page_id: PageId }[]>('path', 'page_id')
    for (const { path, page_id } of rows) found.set(path, page_id)
  })
  return found
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Site } from '../../content-folder/site.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import type { Storage } from '../../storage/storage.ts'

/** Writes the files of `static/` to the store, next to the pages. The API does not accept files. */
export async function storeAssets(
  storage: Storage,
  projectId: ProjectId,
  folder: string,
  { assets }: Site,
): Promise<void> {
  for (const { path, source } of assets) {
    await storage.put({ key: storageKey(projectId, path), body: await readFile(join(folder, source)) })
  }
}

import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import type { ProjectId } from '../domain/ids.ts'
import { projectPrefix } from '../domain/storage-key.ts'
import type { Storage } from '../storage/storage.ts'

/** A folder that holds one site alone, at its top, as the store that a publish writes to. */
export function outFolder(folder: Storage, projectId: ProjectId): Pick<Storage, 'put' | 'delete'> {
  const prefix = projectPrefix(projectId)
  const own = (key: string) => key.slice(prefix.length)
  return {
    put: (object, options) => folder.put({ ...object, key: own(object.key) }, options),
    delete: (keys, options) => folder.delete(keys.map(own), options),
  }
}

/**
 * Nothing is written over that somebody else put there.
 *
 * @param keys to be written for the first time.
 * @throws {ServiceError} `conflict` naming the first of them at which something lies.
 */
export async function refuseForeign(out: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const file = join(out, key)
    const there = await lstat(file).catch(() => null)
    if (there === null) continue
    throw new ServiceError(
      'conflict',
      `${file} is not of an earlier build, and would be written over. Move it away, or build into another folder with --out.`,
    )
  }
}

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
 * Refuses to overwrite files that no build wrote, and to write below a path that is not a folder.
 *
 * @param foreign keys of files that no build wrote.
 * @throws {ServiceError} `conflict` naming the first file in the way.
 */
export function refuseForeign(out: string, keys: readonly string[], foreign: ReadonlySet<string>): void {
  const taken = keys.flatMap(placesOf).find((place) => foreign.has(place))
  if (taken === undefined) return
  throw new ServiceError(
    'conflict',
    `${join(out, taken)} is not of an earlier build, and is in the way. Move it away, or build into another folder with --out.`,
  )
}

/** The key, and those of the folders it lies in. */
function placesOf(key: string): readonly string[] {
  const segments = key.split('/')
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}

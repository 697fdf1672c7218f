import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import type { ProjectId } from '../domain/ids.ts'
import { projectPrefix } from '../domain/storage-key.ts'
import type { FileBody } from '../platform/file-body.ts'
import type { Storage } from '../storage/storage.ts'

/** Adapts a folder, which holds one site at its top, to the store that a publish writes to. */
export function outFolder(folder: Storage, projectId: ProjectId): Pick<Storage, 'put' | 'delete' | 'open'> {
  const prefix = projectPrefix(projectId)
  const own = (key: string) => key.slice(prefix.length)
  return {
    put: (object, options) => folder.put({ ...object, key: own(object.key) }, options),
    delete: (keys, options) => folder.delete(keys.map(own), options),
    open: (key, options) => folder.open(own(key), options),
  }
}

/**
 * Rejects writes over files that no build wrote, and writes below a path of a file.
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

/**
 * Files that hold only the beginning of their new content, and zeros, as after a power cut. Replacing such a file loses
 * nothing.
 *
 * @param files the new content.
 * @param foreign keys of files that no build is known to have written.
 */
export async function begunFiles(
  out: string,
  files: readonly { readonly key: string; readonly body: Uint8Array | Pick<FileBody, 'open'> }[],
  foreign: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const begun = new Set<string>()
  for (const { key, body } of files)
    if (foreign.has(key) && (await isBegun(join(out, key), body))) begun.add(key)
  return begun
}

async function isBegun(file: string, body: Uint8Array | Pick<FileBody, 'open'>): Promise<boolean> {
  const found = await readFile(file)
  let at = 0
  for await (const chunk of 'open' in body ? body.open() : [body]) {
    const end = Math.min(found.length, at + chunk.length)
    const differing = found.subarray(at, end).findIndex((byte, index) => byte !== chunk[index])
    if (differing >= 0) return isZeros(found.subarray(at + differing))
    at = end
    if (at === found.length) return true
  }
  return isZeros(found.subarray(at))
}

function isZeros(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/** The key, and the keys of its parent folders. */
function placesOf(key: string): readonly string[] {
  const segments = key.split('/')
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}

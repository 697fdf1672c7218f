import { constants } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { hasCode } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'

/**
 * Asserts that a folder is new or empty. Entries that start with a dot are ignored.
 *
 * @param mayExist whether an entry of this name may exist.
 * @throws {ServiceError} `conflict` naming an existing file.
 */
export async function assertEmptyFolder(
  folder: string,
  mayExist: (name: string, kind: 'file' | 'folder') => boolean = () => false,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new ServiceError('conflict', `${folder} cannot be used: ${error.message}.`, { cause: error })
  })
  const taken = entries
    .filter((entry) => !mayExist(entry.name, entry.isDirectory() ? 'folder' : 'file'))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.'))
    .sort()
  if (taken.length === 0) return
  const more = taken.length - 1
  throw new ServiceError(
    'conflict',
    `${folder} is not empty: it contains ${taken[0]}${more === 0 ? '' : ` and ${more} more`}. Files are never replaced: name a new or empty folder.`,
  )
}

/** @throws {ServiceError} `conflict` when the file exists. */
export async function createFile(file: string, content: Uint8Array | string): Promise<void> {
  await mkdirp(dirname(file))
  if (!(await createIfMissing(file, content)))
    throw new ServiceError('conflict', `${file} already exists and was not replaced.`)
}

/** Writes the file unless it exists. @returns whether it was written. */
export async function createIfMissing(file: string, content: Uint8Array | string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL })
    return true
  } catch (error) {
    if (hasCode(error, ['EEXIST'])) return false
    throw error
  }
}

/** Quotes a path as one word for a shell. */
export function quotedWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

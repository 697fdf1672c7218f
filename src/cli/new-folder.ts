import { constants } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { makeFolder } from '../platform/mkdirp.ts'

/**
 * What starts with a dot, e.g. a repository, is nobody's concern.
 *
 * @param besides names of files that may lie there too.
 * @throws {ServiceError} `conflict` when anything lies in the folder, naming it.
 */
export async function assertEmptyFolder(folder: string, besides: readonly string[] = []): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new ServiceError('conflict', `${folder} cannot be used: ${error.message}.`, { cause: error })
  })
  const taken = entries.sort().filter((name) => !name.startsWith('.') && !besides.includes(name))
  if (taken.length === 0) return
  const more = taken.length - 1
  throw new ServiceError(
    'conflict',
    `${folder} is not empty: ${taken[0]}${more === 0 ? ' is' : ` and ${more} more are`} there, and nothing is replaced. Name a folder that is new or empty.`,
  )
}

/** @throws {ServiceError} `conflict` when something came to lie there meanwhile. */
export async function createFile(file: string, content: Uint8Array | string): Promise<void> {
  await makeFolder(dirname(file))
  if (!(await createIfMissing(file, content)))
    throw new ServiceError('conflict', `${file} is there already, and was left as it is.`)
}

/** Writes the file unless it is there; false when it was. */
export async function createIfMissing(file: string, content: Uint8Array | string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** As a shell takes it for one word. */
export function quotedWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

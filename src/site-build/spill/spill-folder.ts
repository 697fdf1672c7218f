import { randomUUID } from 'node:crypto'
import { lstat, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nullOnSystemError } from '../../platform/fs-errors.ts'
import { mkdirp } from '../../platform/mkdirp.ts'
import { STATE_FOLDER } from '../incremental/file-fingerprints.ts'

const PREFIX = 'spill-'
/** A folder untouched for this long belongs to an aborted build. */
const STALE_MS = 60 * 60 * 1000
const WHOLE = { recursive: true, force: true } as const

/**
 * Removes spill files of aborted builds.
 *
 * @param isSealed removes all files, since none may stay in plain; otherwise files that a running build may use stay.
 * @throws {Error} the system's error if a sealed site's files cannot be removed.
 */
export async function removeStaleSpills(out: string, isSealed: boolean): Promise<void> {
  const folder = join(out, STATE_FOLDER)
  const names = (await nullOnSystemError(readdir(folder))) ?? []
  for (const path of names.filter((name) => name.startsWith(PREFIX)).map((name) => join(folder, name))) {
    if (isSealed) await rm(path, WHOLE)
    else if (await isStale(path)) await nullOnSystemError(rm(path, WHOLE))
  }
}

async function isStale(path: string): Promise<boolean> {
  const stats = await nullOnSystemError(stat(path))
  return stats !== null && Date.now() - stats.mtimeMs > STALE_MS
}

/**
 * Creates a spill folder inside the output folder for the time of the work. Afterwards removes it, and the folders
 * above it that were created for it and are empty.
 *
 * @param out the output folder.
 * @param work receives null if no folder can be created; writing the site then reports why.
 */
export async function withSpillFolder<Value>(
  out: string,
  work: (spillFolder: string | null) => Promise<Value>,
): Promise<Value> {
  const folder = join(out, STATE_FOLDER)
  const missing = await missingFrom(folder)
  const path = join(folder, `${PREFIX}${randomUUID()}`)
  const spillFolder = await nullOnSystemError(mkdirp(path).then(() => path))
  try {
    return await work(spillFolder)
  } finally {
    // A later build removes what cannot be removed now.
    await nullOnSystemError(rm(path, WHOLE))
    for (const path of missing) if (!(await isRemoved(path))) break
  }
}

/** The folder and its parents that do not exist, deepest first. */
async function missingFrom(folder: string): Promise<readonly string[]> {
  if ((await nullOnSystemError(lstat(folder))) !== null || dirname(folder) === folder) return []
  return [folder, ...(await missingFrom(dirname(folder)))]
}

/** Returns false if the folder is not empty. */
async function isRemoved(folder: string): Promise<boolean> {
  return (await nullOnSystemError(rmdir(folder).then(() => true))) ?? false
}

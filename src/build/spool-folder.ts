import { randomUUID } from 'node:crypto'
import { lstat, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'

/** Beside what a build keeps: nothing a site is made of starts with a dot. */
const FOLDER = '.quoin'
const PREFIX = 'spool-'
/** Untouched for so long, it was left by a build that was broken off. */
const STALE_MS = 60 * 60 * 1000

/**
 * Gives the work a folder on the file system of the site, for what is not to stay in memory, and removes it
 * in the end, with those above it that were made for it and are empty.
 *
 * @param out the folder that is built into.
 * @param work is given null where no folder can be made; what is to be written there says why.
 */
export async function withSpool<Value>(
  out: string,
  work: (spool: string | null) => Promise<Value>,
): Promise<Value> {
  const folder = join(out, FOLDER)
  await removeStale(folder)
  const missing = await missingFrom(folder)
  const path = join(folder, `${PREFIX}${randomUUID()}`)
  const spool = await orNull(makeFolder(path).then(() => path))
  try {
    return await work(spool)
  } finally {
    if (spool !== null) await rm(spool, { recursive: true, force: true })
    for (const path of missing) if (!(await isRemoved(path))) break
  }
}

async function removeStale(folder: string): Promise<void> {
  const names = (await orNull(readdir(folder))) ?? []
  for (const path of names.filter((name) => name.startsWith(PREFIX)).map((name) => join(folder, name))) {
    const stats = await orNull(stat(path))
    if (stats !== null && Date.now() - stats.mtimeMs > STALE_MS)
      await rm(path, { recursive: true, force: true })
  }
}

/** The folder and those above it that are not there, deepest first. */
async function missingFrom(folder: string): Promise<readonly string[]> {
  if ((await orNull(lstat(folder))) !== null || dirname(folder) === folder) return []
  return [folder, ...(await missingFrom(dirname(folder)))]
}

/** False where something lies in it. */
async function isRemoved(folder: string): Promise<boolean> {
  return (await orNull(rmdir(folder).then(() => true))) ?? false
}

/** Null where the system refuses it. */
async function orNull<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return null
    throw error
  }
}

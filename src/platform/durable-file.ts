import { randomUUID } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './fs-errors.ts'

/** For its user only. */
const PRIVATE = 0o600

/**
 * Creates a file that only its user can read. It appears complete or not at all, and is durable when this resolves.
 *
 * @returns false if the file exists; it is unchanged then.
 */
export async function createDurably(file: string, text: string): Promise<boolean> {
  return writeBeside(file, text, async (temporary) => {
    try {
      // Unlike a rename, a link never replaces a file.
      await link(temporary, file)
      return true
    } catch (error) {
      if (hasCode(error, ['EEXIST'])) return false
      throw error
    }
  })
}

/** Creates or replaces a file in the same way. */
export async function replaceDurably(file: string, text: string): Promise<void> {
  await writeBeside(file, text, (temporary) => rename(temporary, file))
}

/** Makes renames, links and removals in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writeBeside<T>(
  file: string,
  text: string,
  place: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    const handle = await open(temporary, 'wx', PRIVATE)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    const placed = await place(temporary)
    await syncFolder(dirname(file))
    return placed
  } finally {
    await rm(temporary, { force: true })
  }
}

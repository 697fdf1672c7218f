import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './fs-errors.ts'

/**
 * Makes a folder with those above it, and leaves one that is there. Node's own way never ends where the
 * system has no folders made, as in /proc.
 *
 * @throws {Error} what the system says; `ENOENT` where none can be made.
 */
export async function mkdirp(folder: string): Promise<void> {
  try {
    await makeOne(folder)
  } catch (error) {
    if (!hasCode(error, ['ENOENT'])) throw error
    await mkdirp(dirname(folder))
    await makeOne(folder)
  }
}

async function makeOne(folder: string): Promise<void> {
  await mkdir(folder).catch(async (error) => {
    const isThere = error.code === 'EEXIST' && (await stat(folder)).isDirectory()
    if (!isThere) throw error
  })
}

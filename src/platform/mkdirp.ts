import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './fs-errors.ts'

/**
 * Creates a folder and its parents, unless they exist. Node's own `mkdir` with `recursive` never returns where
 * the system allows no new folders, as in /proc.
 *
 * @throws {Error} the system's error; `ENOENT` where no folder can be created.
 */
export async function mkdirp(folder: string): Promise<void> {
  try {
    await mkdirUnlessExists(folder)
  } catch (error) {
    if (!hasCode(error, ['ENOENT'])) throw error
    await mkdirp(dirname(folder))
    await mkdirUnlessExists(folder)
  }
}

async function mkdirUnlessExists(folder: string): Promise<void> {
  await mkdir(folder).catch(async (error) => {
    const exists = error.code === 'EEXIST' && (await stat(folder)).isDirectory()
    if (!exists) throw error
  })
}

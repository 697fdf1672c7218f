import { renameSync, utimesSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assertSafeKey } from '../domain/storage-key.ts'
import { hasCode } from '../platform/fs-errors.ts'
import type { FolderTree } from './folder-tree.ts'
import { explainPathConflict } from './path-conflict.ts'
import { preciseTimestamp } from './precise-timestamp.ts'
import type { FolderStorage } from './storage.ts'

interface MovePorts {
  readonly tree: FolderTree
  /** True if files have to be copied, because a move would not make them durable. */
  readonly durable: boolean
  readonly write: (key: string, body: Uint8Array) => Promise<void>
}

/** Moves existing files into a folder; copies them where a move is not possible. */
export function createMoveInto({
  tree,
  durable,
  write,
}: MovePorts): Pick<FolderStorage, 'moveInto' | 'moveAllInto'> {
  return {
    async moveInto(key, file) {
      assertSafeKey(key)
      await explainPathConflict(key, move(key, file))
    },

    async moveAllInto(keys, folder) {
      keys.forEach(assertSafeKey)
      await moveAll(keys, folder, '')
    },
  }

  async function move(key: string, from: string): Promise<void> {
    if (!durable && (await moveFile(key, from))) return
    await write(key, await readFile(from))
    await rm(from)
  }

  /** @param within the folder of all keys: empty, or ending with a slash. */
  async function moveAll(keys: readonly string[], from: string, within: string): Promise<void> {
    for (const [name, keysBelow] of byNextName(keys, within.length)) {
      const path = within + name
      const file = join(from, path)
      const rest = keysBelow.filter((key) => key !== path)
      if (rest.length < keysBelow.length) await explainPathConflict(path, move(path, file))
      if (rest.length > 0 && (durable || !(await moveFolder(path, file))))
        await moveAll(rest, from, `${path}/`)
    }
  }

  /**
   * Moves a folder as a whole. Its files keep their times: there was no previous version to tell them from.
   *
   * @returns false if the path exists, or the folder cannot be moved.
   */
  async function moveFolder(path: string, from: string): Promise<boolean> {
    if ((await tree.inspect(path)) !== null) return false
    try {
      // Fails if the path is a file, a link or a folder that is not empty.
      renameSync(from, tree.locate(path))
      return true
    } catch (error) {
      if (hasCode(error, ['EXDEV', 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'])) return false
      throw error
    }
  }

  /** @returns false if the file is on another file system, or a concurrent delete pruned the folder. */
  async function moveFile(key: string, from: string): Promise<boolean> {
    const stamp = preciseTimestamp()
    utimesSync(from, stamp, stamp)
    const file = tree.locate(key)
    const folder = dirname(file)
    if (!tree.folderExistsSync(key)) tree.createSync(folder)
    try {
      renameSync(from, file)
      return true
    } catch (error) {
      await tree.prune(folder)
      if (hasCode(error, ['EXDEV', 'ENOENT'])) return false
      throw error
    }
  }
}

/** Groups keys by the name that follows at `start`. */
function byNextName(keys: readonly string[], start: number): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const key of keys) {
    const end = key.indexOf('/', start)
    const name = key.slice(start, end === -1 ? undefined : end)
    const group = found.get(name)
    if (group === undefined) found.set(name, [key])
    else group.push(key)
  }
  return found
}

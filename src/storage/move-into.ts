import { renameSync, utimesSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assertSafeKey } from '../domain/storage-key.ts'
import { hasCode } from '../platform/fs-errors.ts'
import type { FolderTree } from './folder-tree.ts'
import { explainPathConflict } from './path-conflict.ts'
import { preciseTimestamp } from './precise-timestamp.ts'
import type { FolderStorage } from './storage.ts'

interface Adopting {
  readonly tree: FolderTree
  /** Whether what is taken has to be written anew, so that it lasts. */
  readonly durable: boolean
  readonly write: (key: string, body: Uint8Array) => Promise<void>
}

/** How a folder takes files that are there already: by moving them, where that will do. */
export function createMoveInto({
  tree,
  durable,
  write,
}: Adopting): Pick<FolderStorage, 'moveInto' | 'moveAllInto'> {
  return {
    async moveInto(key, file) {
      assertSafeKey(key)
      await explainPathConflict(key, take(key, file))
    },

    async moveAllInto(keys, folder) {
      keys.forEach(assertSafeKey)
      await takeAll(keys, folder, '')
    },
  }

  async function take(key: string, from: string): Promise<void> {
    if (!durable && (await moveFile(key, from))) return
    await write(key, await readFile(from))
    await rm(from)
  }

  /** @param within the folder they all lie in, as the start of a key: empty, or ending with a slash. */
  async function takeAll(keys: readonly string[], from: string, within: string): Promise<void> {
    for (const [name, beneath] of byNextName(keys, within.length)) {
      const [place, file] = [within + name, join(from, within + name)]
      const rest = beneath.filter((key) => key !== place)
      if (rest.length < beneath.length) await explainPathConflict(place, take(place, file))
      if (rest.length > 0 && (durable || !(await moveFolder(place, file))))
        await takeAll(rest, from, `${place}/`)
    }
  }

  /**
   * @returns false where something lies in its place, or where it cannot be moved as a whole. What is in it needs
   *   no stamp: nothing lay there that it could be taken for.
   */
  async function moveFolder(place: string, from: string): Promise<boolean> {
    if ((await tree.inspect(place)) !== null) return false
    try {
      // Never onto a file, a link or a folder that holds something.
      renameSync(from, tree.locate(place))
      return true
    } catch (error) {
      if (hasCode(error, ['EXDEV', 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'])) return false
      throw error
    }
  }

  /** @returns false where it lies on another file system, or a delete that runs meanwhile pruned the folder. */
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

/** @param start how much of each key is passed over. */
function byNextName(keys: readonly string[], start: number): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const key of keys) {
    const end = key.indexOf('/', start)
    const name = key.slice(start, end === -1 ? undefined : end)
    const beneath = found.get(name)
    if (beneath === undefined) found.set(name, [key])
    else beneath.push(key)
  }
  return found
}

import { lstatSync, mkdirSync, type Stats } from 'node:fs'
import { lstat, mkdir, open, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fallbackOn, fallbackOnSync, hasCode, NOT_FOUND } from '../platform/fs-errors.ts'
import { StorageError } from './storage.ts'

/** Makes, looks at and clears away folders beneath a root, and never follows a symbolic link there. */
export type FolderTree = ReturnType<typeof createFolderTree>

/** @param options.sync whether folders are made durable (fsync). */
export function createFolderTree(options: { root: string; sync: boolean }) {
  const root = resolve(options.root)
  const making = new Map<string, Promise<void>>()
  const looking = new Map<string, Promise<Stats | null>>()

  return { root, locate, inspect, folderExistsSync, create, whenCreated, createSync, prune, sync }

  function locate(key: string): string {
    return join(root, key)
  }

  /**
   * What lies at the key, or null.
   *
   * @throws if the key, or a folder on the way to it, is a symbolic link. The root itself may be one.
   */
  async function inspect(key: string): Promise<Stats | null> {
    const way = wayTo(key)
    const own = way.length - 1
    const found = await Promise.all(
      way.map((path, index) =>
        index === own ? fallbackOn(NOT_FOUND, lstat(path), null) : folderStats(path),
      ),
    )
    const link = found.findIndex((stats) => stats?.isSymbolicLink())
    if (link !== -1) throw refusedLink(way[link])
    return found.at(-1) ?? null
  }

  /**
   * Calls share the look that is under way: files that are written together lie together. Of what is asked for
   * itself everyone has to know as it is now.
   */
  function folderStats(path: string): Promise<Stats | null> {
    const pending = looking.get(path)
    if (pending !== undefined) return pending
    const found = fallbackOn(NOT_FOUND, lstat(path), null).finally(() => looking.delete(path))
    looking.set(path, found)
    return found
  }

  /**
   * Whether the folder is there that the key lies in, told at once.
   *
   * @throws as `peek`.
   */
  function folderExistsSync(key: string): boolean {
    const way = wayTo(key)
    for (const [index, path] of way.entries()) {
      const found = fallbackOnSync(NOT_FOUND, () => lstatSync(path, { throwIfNoEntry: false }), undefined)
      if (found === undefined) return index === way.length - 1
      if (found.isSymbolicLink()) throw refusedLink(path)
    }
    return true
  }

  /** The folders on the way to it, then itself. */
  function wayTo(key: string): readonly string[] {
    const segments = key.split('/')
    return segments.map((_, index) => locate(segments.slice(0, index + 1).join('/')))
  }

  /**
   * Make a folder and those above it, each durable in the one that holds it. Calls for one folder
   * share the work, so that none goes on before the folder is durable.
   */
  function create(folder: string): Promise<void> {
    const pending = making.get(folder)
    if (pending !== undefined) return pending
    const made = makeMissing(folder).finally(() => making.delete(folder))
    making.set(folder, made)
    return made
  }

  /** Resolves when the folder is durable, if it is being made. */
  async function whenCreated(folder: string): Promise<void> {
    await making.get(folder)
  }

  async function makeMissing(folder: string): Promise<void> {
    if ((await fallbackOn(['ENOENT'], lstat(folder), null)) !== null) return
    await create(dirname(folder))
    await fallbackOn(['EEXIST'], mkdir(folder), undefined)
    await sync(dirname(folder))
  }

  /** As `create`, at once; durable is what it makes when the system pleases. */
  function createSync(folder: string): void {
    try {
      makeOneNow(folder)
    } catch (error) {
      if (!hasCode(error, ['ENOENT'])) throw error
      createSync(dirname(folder))
      makeOneNow(folder)
    }
  }

  /** Remove a folder and those above it as long as they are empty; what is left is durable then. */
  async function prune(folder: string): Promise<void> {
    let left = folder
    while (left !== root && (await isRemoved(left))) left = dirname(left)
    await sync(left)
  }

  async function sync(folder: string): Promise<void> {
    if (!options.sync) return
    // A delete that ran meanwhile may have pruned the folder: then there is nothing to keep.
    const handle = await fallbackOn(NOT_FOUND, open(folder, 'r'), null)
    if (handle === null) return
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

function makeOneNow(folder: string): void {
  fallbackOnSync(['EEXIST'], () => mkdirSync(folder), undefined)
}

function refusedLink(path: string | undefined): StorageError {
  return new StorageError(`Refused to follow the symbolic link ${path}.`, { transient: false })
}

/** Removes the folder if it is empty; true when it is gone. */
async function isRemoved(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return true
    if (hasCode(error, ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ENAMETOOLONG'])) return false
    throw error
  }
}

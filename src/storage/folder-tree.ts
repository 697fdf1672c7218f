import { lstatSync, mkdirSync, type Stats } from 'node:fs'
import { lstat, mkdir, open, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fallbackOn, fallbackOnSync, hasCode, NOT_FOUND } from '../platform/fs-errors.ts'
import { StorageError } from './storage.ts'

/** Inspects, creates and removes folders below a root. Never follows a symbolic link there. */
export type FolderTree = ReturnType<typeof createFolderTree>

/** @param options.sync whether folders are made durable (fsync). */
export function createFolderTree(options: { root: string; sync: boolean }) {
  const root = resolve(options.root)
  const pendingFolders = new Map<string, Promise<void>>()
  const pendingStats = new Map<string, Promise<Stats | null>>()

  return { root, locate, inspect, folderExistsSync, create, whenCreated, createSync, prune, sync }

  function locate(key: string): string {
    return join(root, key)
  }

  /**
   * The stats of the file or folder at the key, or null.
   *
   * @throws if the key, or a folder above it, is a symbolic link. The root itself may be one.
   */
  async function inspect(key: string): Promise<Stats | null> {
    const paths = pathsTo(key)
    const last = paths.length - 1
    const found = await Promise.all(
      paths.map((path, index) =>
        index === last ? fallbackOn(NOT_FOUND, lstat(path), null) : folderStats(path),
      ),
    )
    const link = found.findIndex((stats) => stats?.isSymbolicLink())
    if (link !== -1) throw refusedLink(paths[link])
    return found.at(-1) ?? null
  }

  /**
   * Concurrent calls for one folder share the result, because files that are written together are often in the
   * same folders. The last path of `inspect` is not shared: its result must be current.
   */
  function folderStats(path: string): Promise<Stats | null> {
    const pending = pendingStats.get(path)
    if (pending !== undefined) return pending
    const found = fallbackOn(NOT_FOUND, lstat(path), null).finally(() => pendingStats.delete(path))
    pendingStats.set(path, found)
    return found
  }

  /**
   * Reports whether the folder of the key exists. Synchronous.
   *
   * @throws as `inspect`.
   */
  function folderExistsSync(key: string): boolean {
    const paths = pathsTo(key)
    for (const [index, path] of paths.entries()) {
      const found = fallbackOnSync(NOT_FOUND, () => lstatSync(path, { throwIfNoEntry: false }), undefined)
      if (found === undefined) return index === paths.length - 1
      if (found.isSymbolicLink()) throw refusedLink(path)
    }
    return true
  }

  /** The paths of the folders above the key, then its own. */
  function pathsTo(key: string): readonly string[] {
    const segments = key.split('/')
    return segments.map((_, index) => locate(segments.slice(0, index + 1).join('/')))
  }

  /**
   * Creates a folder and its parents durably. Concurrent calls for one folder wait for the same work, so that
   * none returns before the folder is durable.
   */
  function create(folder: string): Promise<void> {
    const pending = pendingFolders.get(folder)
    if (pending !== undefined) return pending
    const created = createMissing(folder).finally(() => pendingFolders.delete(folder))
    pendingFolders.set(folder, created)
    return created
  }

  /** Resolves when the folder is durable, if it is being created. */
  async function whenCreated(folder: string): Promise<void> {
    await pendingFolders.get(folder)
  }

  async function createMissing(folder: string): Promise<void> {
    if ((await fallbackOn(['ENOENT'], lstat(folder), null)) !== null) return
    await create(dirname(folder))
    await fallbackOn(['EEXIST'], mkdir(folder), undefined)
    await sync(dirname(folder))
  }

  /** Creates a folder and its parents synchronously, without making them durable. */
  function createSync(folder: string): void {
    try {
      createOneSync(folder)
    } catch (error) {
      if (!hasCode(error, ['ENOENT'])) throw error
      createSync(dirname(folder))
      createOneSync(folder)
    }
  }

  /** Removes a folder and its parents while they are empty, durably. */
  async function prune(folder: string): Promise<void> {
    let current = folder
    while (current !== root && (await isRemoved(current))) current = dirname(current)
    await sync(current)
  }

  async function sync(folder: string): Promise<void> {
    if (!options.sync) return
    // A concurrent delete may have pruned the folder.
    const handle = await fallbackOn(NOT_FOUND, open(folder, 'r'), null)
    if (handle === null) return
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

function createOneSync(folder: string): void {
  fallbackOnSync(['EEXIST'], () => mkdirSync(folder), undefined)
}

function refusedLink(path: string | undefined): StorageError {
  return new StorageError(`Refused to follow the symbolic link ${path}.`, { transient: false })
}

/** Removes the folder if it is empty. True if it no longer exists. */
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

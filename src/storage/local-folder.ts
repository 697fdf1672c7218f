import { randomUUID } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  futimesSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, lstat, open, readdir, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { objectHeaders } from '../domain/artifact.ts'
import { messageOf } from '../domain/errors.ts'
import { assertSafeKey, assertSafePrefix, isSafeKey } from '../domain/storage-key.ts'
import { fallbackOn, hasCode, NOT_FOUND } from '../platform/fs-errors.ts'
import { createFolderTree, type FolderTree } from './folder-tree.ts'
import { createMoveInto } from './move-into.ts'
import { explainPathConflict } from './path-conflict.ts'
import { preciseTimestamp } from './precise-timestamp.ts'
import { type FolderStorage, type OpenObject, StorageError, type StoredObject } from './storage.ts'
import { verifiedStream } from './streamed-body.ts'

/** Prefix of temporary files. No segment of a key starts with DEL, so they never clash with objects. */
const TEMPORARY = '\u007fquoin-'
/** A temporary file that nothing has changed for this long was left by a crash. */
const STALE_MS = 60 * 60 * 1000
/** Attempts to create a file while concurrent deletes prune its folder. */
const FOLDER_ATTEMPTS = 100

/** Errors of a folder in which no file can be created or removed. */
const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'] as const

/** Opens no symbolic link, and does not wait for the writer of a pipe. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Stores objects as files under `root`, which is created on the first write. Every method refuses symbolic
 * links below it; lists leave them out.
 *
 * @param options.sync false for a folder that can be rebuilt, in a program with nothing else to do. Writes are
 *   then atomic but not durable, and synchronous, which takes less CPU time than the thread pool of Node.
 * @param options.staleMs age at which a list removes temporary files; an hour if absent.
 */
export function createLocalFolderStorage(options: {
  root: string
  sync?: boolean
  staleMs?: number
}): FolderStorage {
  const { staleMs = STALE_MS } = options
  const durable = options.sync ?? true
  const tree = createFolderTree({ root: options.root, sync: durable })
  const write = (key: string, body: StoredObject['body'], signal?: AbortSignal) =>
    durable || 'open' in body ? replace(key, body, signal) : replaceSync(key, body)

  return {
    async put({ key, body }, { signal } = {}) {
      assertSafeKey(key)
      signal?.throwIfAborted()
      await explainPathConflict(key, write(key, body, signal))
    },

    ...createMoveInto({ tree, durable, write }),

    async get(key, { signal } = {}) {
      assertSafeKey(key)
      signal?.throwIfAborted()
      const file = await openFile(tree, key)
      if (file === null) return null
      try {
        return await file.handle.readFile()
      } finally {
        await file.handle.close()
      }
    },

    async open(key, { signal } = {}) {
      assertSafeKey(key)
      signal?.throwIfAborted()
      const file = await openFile(tree, key)
      return file && openObject(key, file)
    },

    async headers(key, { signal } = {}) {
      assertSafeKey(key)
      signal?.throwIfAborted()
      // Files have none: whatever serves the folder derives them from the name.
      return (await tree.inspect(key))?.isFile() ? objectHeaders(key) : null
    },

    async delete(keys, { signal } = {}) {
      keys.forEach(assertSafeKey)
      signal?.throwIfAborted()
      for (const key of keys) {
        const found = await tree.inspect(key)
        if (found?.isFile()) await fallbackOn(NOT_FOUND, unlink(tree.locate(key)), undefined)
      }
      for (const folder of new Set(keys.map((key) => dirname(tree.locate(key))))) await tree.prune(folder)
    },

    async list(prefix, { signal } = {}) {
      assertSafePrefix(prefix)
      signal?.throwIfAborted()
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      if (folder !== '') await tree.inspect(folder.slice(0, -1))
      const left: Temporary[] = []
      const keys = await keysIn(tree, folder, prefix, left)
      // A list also works on a disk that is full or read-only.
      if (left.length > 0) await fallbackOn(NOT_WRITABLE, removeStale(left), undefined)
      return keys.sort()
    },

    async check({ signal } = {}) {
      signal?.throwIfAborted()
      try {
        const { path, handle } = await openTemporary(tree.root)
        try {
          await fill(handle, Buffer.from('check'))
          await readFile(path)
        } finally {
          await rm(path, { force: true })
        }
      } catch (error) {
        throw new StorageError(`The storage folder ${tree.root} cannot be used: ${reasonOf(error)}.`, {
          transient: false,
          cause: error,
        })
      }
    },
  }

  /**
   * Ages are differences between times that the kernel set, the last one for a new file. The clocks of processes, and
   * the times that they give files, may be off by hours.
   */
  async function removeStale(left: readonly Temporary[]): Promise<void> {
    const { path, handle } = await openTemporary(tree.root)
    try {
      const { ctimeMs: now } = await handle.stat()
      for (const one of left) {
        if (now - one.changedMs < staleMs) continue
        await rm(one.path, { force: true })
        await tree.prune(dirname(one.path))
      }
    } finally {
      await handle.close()
      await rm(path, { force: true })
    }
  }

  async function replace(key: string, body: StoredObject['body'], signal?: AbortSignal): Promise<void> {
    await tree.inspect(key)
    const file = tree.locate(key)
    const folder = dirname(file)
    const { path, handle } = await openTemporary(folder)
    try {
      await fill(handle, body, signal)
      signal?.throwIfAborted()
      // Rename is atomic on one file system, so readers never see half a file.
      await rename(path, file)
    } catch (error) {
      await rm(path, { force: true })
      await tree.prune(folder)
      throw error
    }
    await tree.sync(folder)
  }

  /** The same steps, synchronously. */
  async function replaceSync(key: string, body: Uint8Array): Promise<void> {
    const file = tree.locate(key)
    const folder = dirname(file)
    if (!tree.folderExistsSync(key)) tree.createSync(folder)
    const path = join(folder, TEMPORARY + randomUUID())
    const descriptor = openTemporarySync(path)
    try {
      fillSync(descriptor, body)
      renameSync(path, file)
    } catch (error) {
      rmSync(path, { force: true })
      await tree.prune(folder)
      throw error
    }
  }

  /** Retries, because a concurrent delete may prune the folder. */
  function openTemporarySync(path: string, attempts = FOLDER_ATTEMPTS): number {
    try {
      return openSync(path, 'wx')
    } catch (error) {
      if (attempts === 1 || !hasCode(error, ['ENOENT'])) throw error
      tree.createSync(dirname(path))
      return openTemporarySync(path, attempts - 1)
    }
  }

  async function openTemporary(folder: string, attempts = FOLDER_ATTEMPTS): Promise<TemporaryFile> {
    const path = join(folder, TEMPORARY + randomUUID())
    try {
      // The folder usually exists.
      await (attempts === FOLDER_ATTEMPTS ? tree.whenCreated(folder) : tree.create(folder))
      return { path, handle: await open(path, 'wx') }
    } catch (error) {
      if (attempts > 1 && hasCode(error, ['ENOENT'])) return openTemporary(folder, attempts - 1)
      throw error
    }
  }

  /** Writes the whole file and closes it. */
  async function fill(handle: FileHandle, body: StoredObject['body'], signal?: AbortSignal): Promise<void> {
    try {
      await writeBody(handle, body, signal)
      const stamp = preciseTimestamp()
      await handle.utimes(stamp, stamp)
      if (durable) await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

async function writeBody(
  handle: FileHandle,
  body: StoredObject['body'],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!('open' in body)) return handle.writeFile(body)
  const chunks = verifiedStream(body)
  // Also ends the wait for a body that stalls.
  if (signal !== undefined) addAbortSignal(signal, chunks)
  try {
    for await (const chunk of chunks) await handle.appendFile(chunk as Buffer)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

function fillSync(descriptor: number, body: Uint8Array): void {
  try {
    writeFileSync(descriptor, body)
    const stamp = preciseTimestamp()
    futimesSync(descriptor, stamp, stamp)
  } finally {
    closeSync(descriptor)
  }
}

interface TemporaryFile {
  readonly path: string
  readonly handle: FileHandle
}

interface OpenFile {
  readonly handle: FileHandle
  readonly stats: BigIntStats
}

/** The file at the key; null if there is none, or something that is not a plain file. */
async function openFile(tree: FolderTree, key: string): Promise<OpenFile | null> {
  const found = await tree.inspect(key)
  if (!found?.isFile()) return null
  const handle = await fallbackOn(NOT_FOUND, open(tree.locate(key), READ_FLAGS), null)
  if (handle === null) return null
  try {
    const stats = await handle.stat({ bigint: true })
    if (stats.isFile()) return { handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return null
}

function openObject(key: string, { handle, stats }: OpenFile): OpenObject {
  const version = [stats.size, stats.mtimeNs, stats.ino].map((part) => part.toString(36)).join('-')
  return {
    size: Number(stats.size),
    etag: `"${version}"`,
    headers: objectHeaders(key),
    bufferedBytes: 0,
    stream: (range) => handle.createReadStream(range),
    close: () => handle.close(),
  }
}

/** A temporary file of this or another process, and when it last changed by the kernel's clock. */
interface Temporary {
  readonly path: string
  readonly changedMs: number
}

/**
 * @param folder start of the keys: empty, or ending with a slash.
 * @param left receives the temporary files that are found.
 */
async function keysIn(
  tree: FolderTree,
  folder: string,
  prefix: string,
  left: Temporary[],
): Promise<string[]> {
  const entries = await fallbackOn(NOT_FOUND, readdir(tree.locate(folder), { withFileTypes: true }), [])
  const found = entries.map(async (entry) => {
    const key = folder + entry.name
    if (entry.name.startsWith(TEMPORARY)) {
      const stats = await fallbackOn(NOT_FOUND, lstat(tree.locate(key)), null)
      if (stats !== null) left.push({ path: tree.locate(key), changedMs: stats.ctimeMs })
    }
    if (!isSafeKey(key) || !key.startsWith(prefix)) return []
    if (entry.isDirectory()) return keysIn(tree, `${key}/`, prefix, left)
    return entry.isFile() ? [key] : []
  })
  return (await Promise.all(found)).flat()
}

function reasonOf(error: unknown): string {
  if (hasCode(error, ['ENOTDIR'])) return 'a file has its name, or that of a folder above it'
  if (hasCode(error, ['EACCES', 'EPERM'])) return 'writing is not permitted'
  if (hasCode(error, ['EROFS'])) return 'the file system is read-only'
  if (hasCode(error, ['ENOSPC', 'EDQUOT'])) return 'the disk is full'
  if (hasCode(error, ['ENOENT'])) return 'the folder cannot be created there'
  return messageOf(error)
}

import { hasCode } from '../platform/fs-errors.ts'
import { StorageError } from './storage.ts'

/** @throws {StorageError} which says so, where the name of the key is taken by a folder, or a part of it by a file. */
export async function explainPathConflict(key: string, written: Promise<void>): Promise<void> {
  try {
    await written
  } catch (error) {
    throw hasCode(error, ['ENOTDIR', 'EISDIR']) ? nameTaken(key, error) : error
  }
}

function nameTaken(key: string, cause: unknown): StorageError {
  return new StorageError(
    `No object can lie at ${key}: a folder cannot hold an object and others beneath its name.`,
    { transient: false, cause },
  )
}

import { hasCode } from '../platform/fs-errors.ts'
import { StorageError } from './storage.ts'

/** @throws {StorageError} if a folder has the name of the key, or a file that of a folder above it. */
export async function explainPathConflict(key: string, written: Promise<void>): Promise<void> {
  try {
    await written
  } catch (error) {
    throw hasCode(error, ['ENOTDIR', 'EISDIR']) ? pathConflict(key, error) : error
  }
}

function pathConflict(key: string, cause: unknown): StorageError {
  return new StorageError(
    `The object ${key} cannot be stored: in a folder, an object cannot also be a folder of other objects.`,
    { transient: false, cause },
  )
}

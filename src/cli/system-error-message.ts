import { isSystemError } from '../platform/fs-errors.ts'
import { StorageError } from '../storage/storage.ts'

/** The message of an error of the operating system or a store, which the user can fix. Null for any other error. */
export function systemErrorMessage(error: unknown): string | null {
  if (error instanceof StorageError) return error.message
  if (!isSystemError(error)) return null
  if (error.syscall === 'uv_cwd')
    return 'The working directory no longer exists. Change to another folder and try again.'
  return `The system refused: ${error.message}.`
}

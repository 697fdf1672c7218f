import { isSystemError } from '../platform/fs-errors.ts'
import { StorageError } from '../storage/storage.ts'

/** The message of an error of the operating system or a store, which the user can fix. Null for any other error. */
export function systemErrorMessage(error: unknown): string | null {
  if (error instanceof StorageError) return error.message
  if (!isSystemError(error)) return null
  if (error.syscall === 'uv_cwd')
    return 'The working directory no longer exists. Change to another folder and try again.'
  const advice = ADVICE[error.code ?? '']
  return `The system refused: ${error.message}.${advice === undefined ? '' : ` ${advice}`}`
}

/** Advice for common errors of the operating system. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space and try again.',
  EDQUOT: 'Your quota on the disk is used up: free some space and try again.',
  EACCES: 'This user may not do that: change the permissions, or choose another folder.',
  EPERM: 'This user may not do that: change the permissions, or choose another folder.',
  EROFS: 'The file system is read-only: choose another folder.',
  EMFILE: 'Too many files are open: raise the limit with ulimit -n.',
  ENOENT: 'Check the path.',
}

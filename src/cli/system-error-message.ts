import { StorageError } from '../storage/storage.ts'

/** In one line what the system or a store refused, which is for whoever asked to mend; null for a bug. */
export function systemErrorMessage(error: unknown): string | null {
  if (error instanceof StorageError) return error.message
  if (!(error instanceof Error && 'syscall' in error)) return null
  if (error.syscall === 'uv_cwd')
    return 'The folder this was started in is gone. Change to one that is there, and try again.'
  return `The system refused: ${error.message}.`
}

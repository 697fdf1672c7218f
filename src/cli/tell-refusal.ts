import { ServiceError } from '../domain/errors.ts'
import { StorageError } from '../storage/storage.ts'

/** What the system or a store refused is for whoever asked to mend; anything else is a bug. @throws */
export function tellRefusal(error: unknown): never {
  if (error instanceof StorageError) throw new ServiceError('internal_error', error.message, { cause: error })
  if (!(error instanceof Error && 'syscall' in error)) throw error
  throw new ServiceError('internal_error', `The system refused: ${error.message}.`, { cause: error })
}

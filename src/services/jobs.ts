import type { Database } from '../db/repositories.ts'
import type { Caller } from '../domain/caller.ts'
import type { Job } from '../domain/job.ts'
import { accessJob } from './access.ts'

export type JobService = ReturnType<typeof createJobService>

export function createJobService({ db }: { readonly db: Database }) {
  return {
    /** A job with its progress. */
    get: (caller: Caller, ref: string): Promise<Job> => accessJob(db.read, caller, ref, ['read']),
  }
}

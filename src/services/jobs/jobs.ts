import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import {
  CONTINUED_PUBLISH,
  type Job,
  type JobState,
  PUBLISH_PAGES,
  SCHEDULED_PUBLISH,
} from '../../domain/job.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import { accessJob, accessProject } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import type { ReleaseContinues } from '../publishing/await-release.ts'
import { cancelJob } from './cancel-job.ts'

/** Kinds of jobs that requests of clients cause. */
const KINDS = [PUBLISH_PAGES, SCHEDULED_PUBLISH, CONTINUED_PUBLISH]

export type JobService = ReturnType<typeof createJobService>

export function createJobService({ db, newId, now }: Pick<ServiceContext, 'db' | 'newId' | 'now'>) {
  return {
    /** A job with its progress. */
    get: (caller: Caller, ref: string): Promise<Job> => accessJob(db.read, caller, ref, ['read']),

    /**
     * Finds the job that follows a continued release.
     *
     * @throws {ServiceError} `not_found` when its project was deleted since.
     */
    async following({ jobId }: ReleaseContinues): Promise<Job> {
      const job = (await db.read.jobs.find(jobId)) ?? (await db.read.releases.findFollower(jobId))
      if (job === null)
        throw new ServiceError('not_found', 'The project was deleted while the request waited.')
      return job
    },

    /**
     * Lists bulk, scheduled and continued publishes of a project, newest first.
     *
     * @param states null for any.
     */
    async list(
      caller: Caller,
      ref: string,
      states: readonly JobState[] | null,
      slice: Slice,
    ): Promise<Listed<Job>> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      return db.read.jobs.list({ projectId: project.id, kinds: KINDS, states }, slice)
    },

    /** Cancels a job as `cancelJob` does. */
    async cancel(caller: Caller, ref: string): Promise<Job> {
      return db.write(async (repositories) => {
        const job = await accessJob(repositories, caller, ref, ['publish'])
        return cancelJob(repositories, { newId, now }, caller, job)
      })
    },
  }
}

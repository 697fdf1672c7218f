import type { Caller } from '../../domain/caller.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { JobId, ProjectId } from '../../domain/ids.ts'
import { jobOfRelease } from '../../domain/job.ts'
import type { ReleaseFailure } from '../../domain/release.ts'
import type { LiveRelease, Publisher } from '../../publish/queue/publisher.ts'
import type { EnqueuedRelease } from './enqueue-release.ts'

/** The time of a request is over, but the release that it waits for continues: the job reports its end. */
export class ReleaseContinues extends Error {
  readonly projectId: ProjectId
  readonly jobId: JobId

  constructor({ id, projectId }: EnqueuedRelease) {
    super(`Release ${id} goes on in the background.`)
    this.projectId = projectId
    this.jobId = jobOfRelease(id)
  }
}

/**
 * Waits for the end of a release as a request does.
 *
 * @throws {ReleaseContinues} when it takes longer than a request may.
 * @throws {ServiceError} as `Publisher.finish`.
 */
export async function awaitRelease(
  publisher: Publisher,
  { requestId }: Caller,
  accepted: EnqueuedRelease,
): Promise<LiveRelease> {
  const end = await publisher.finish({ ...accepted, requestId })
  if (end === null) throw new ReleaseContinues(accepted)
  return end
}

export interface ReleaseResult {
  /** Reason why the release is not live; null when it is. */
  readonly failure: ReleaseFailure | null
  readonly warnings: readonly PageWarning[]
  /** Render time of the batch it went live with, in milliseconds; 0 when it is not live or unknown. */
  readonly renderMs: number
}

/** Waits for the end of a release, without a time limit. */
export async function waitForRelease(
  publisher: Publisher,
  accepted: EnqueuedRelease,
): Promise<ReleaseResult> {
  try {
    const { outcome, times } = await publisher.finishInBackground(accepted)
    return { failure: null, warnings: outcome?.warnings ?? [], renderMs: times?.render ?? 0 }
  } catch (error) {
    if (error instanceof ServiceError)
      return { failure: { name: error.name, message: error.message }, warnings: [], renderMs: 0 }
    throw error
  }
}

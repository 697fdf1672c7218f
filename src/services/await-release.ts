import type { PageWarning } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import type { ReleaseFailure } from '../domain/release.ts'
import type { Publisher } from '../publish/queue/publisher.ts'
import type { EnqueuedRelease } from './enqueue-release.ts'

export interface ReleaseResult {
  /** Why the release is not live; null when it is. */
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

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Delays between the runs of a job that publishes: a store may be unavailable for a while. */
const RETRY_DELAYS_MS = [2 * SECOND, 10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE]

/** Retry policy of jobs that publish. */
export const PUBLISH_RETRIES = {
  attempts: RETRY_DELAYS_MS.length + 1,
  backoff: (failedRuns: number) =>
    RETRY_DELAYS_MS[Math.min(failedRuns, RETRY_DELAYS_MS.length) - 1] ?? SECOND,
}

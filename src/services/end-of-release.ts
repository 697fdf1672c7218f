import { ServiceError } from '../domain/errors.ts'
import type { ReleaseFailure } from '../domain/release.ts'
import type { Publisher } from '../publish/publisher.ts'
import type { Accepted } from './acceptance.ts'

/** Null once the release is live, else why it is not; however long it takes. */
export async function endOfRelease(publisher: Publisher, accepted: Accepted): Promise<ReleaseFailure | null> {
  try {
    await publisher.finishEventually(accepted)
    return null
  } catch (error) {
    if (error instanceof ServiceError) return { name: error.name, message: error.message }
    throw error
  }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Pauses between the runs of a job that publishes: a store may be away for a while. */
const PAUSES = [2 * SECOND, 10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE]

/** How often and when work that publishes is tried again. */
export const PUBLISH_RETRIES = {
  attempts: PAUSES.length + 1,
  backoff: (failedRuns: number) => PAUSES[Math.min(failedRuns, PAUSES.length) - 1] ?? SECOND,
}

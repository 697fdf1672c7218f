import type { PageWarning } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import type { ReleaseFailure } from '../domain/release.ts'
import type { Publisher } from '../publish/queue/publisher.ts'
import type { Accepted } from './enqueue-release.ts'

export interface EndOfRelease {
  /** Why the release is not live; null when it is. */
  readonly refusal: ReleaseFailure | null
  readonly warnings: readonly PageWarning[]
}

/** How the release ended, however long it takes. */
export async function endOfRelease(publisher: Publisher, accepted: Accepted): Promise<EndOfRelease> {
  try {
    const { outcome } = await publisher.finishInBackground(accepted)
    return { refusal: null, warnings: outcome?.warnings ?? [] }
  } catch (error) {
    if (error instanceof ServiceError)
      return { refusal: { name: error.name, message: error.message }, warnings: [] }
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

import type { PageWarning } from '../../domain/diagnostic.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ReleaseFailure } from '../../domain/release.ts'
import type { Publisher } from '../../publish/queue/publisher.ts'
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

import { setTimeout as sleep } from 'node:timers/promises'
import type { ProjectId } from '../../domain/ids.ts'
import type { HeldLease } from './held-lease.ts'
import type { LeaseHolder } from './lease-holder.ts'

const RETRY_MS = 50
/** Longest wait, much longer than a takeover from a dead process. */
const TIMEOUT_MS = 60_000

/**
 * Runs work under the project's lease. Null when the lease could not be taken within a minute, or before `stopping`
 * was aborted.
 */
export async function withLease<T>(
  projectId: ProjectId,
  leaseHolder: LeaseHolder,
  work: (held: HeldLease) => Promise<T>,
  stopping?: AbortSignal,
): Promise<{ readonly done: T } | null> {
  for (let attempt = 0; attempt < TIMEOUT_MS / RETRY_MS && !stopping?.aborted; attempt++) {
    const lease = await leaseHolder.take(projectId)
    if (lease !== null) return { done: await leaseHolder.holdDuring(lease, work) }
    await sleep(RETRY_MS)
  }
  return null
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { ProjectId } from '../../domain/ids.ts'
import type { Lease } from '../ledger/leases.ts'
import type { LeaseHolder } from './lease-holder.ts'

/** How often the lease is asked for, and how long; a leader that died is taken over long before. */
const ASK_MS = 50
const PATIENCE_MS = 60_000

/** Does work that no release asks for, once nobody else leads the project; null when it is never free. */
export async function withLease<T>(
  projectId: ProjectId,
  leaseHolder: LeaseHolder,
  work: (lease: Lease) => Promise<T>,
): Promise<{ readonly done: T } | null> {
  for (let asked = 0; asked < PATIENCE_MS / ASK_MS; asked++) {
    const lease = await leaseHolder.take(projectId)
    if (lease !== null) return { done: await leaseHolder.holdDuring(lease, () => work(lease)) }
    await sleep(ASK_MS)
  }
  return null
}

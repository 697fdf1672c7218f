import type { ProjectId } from '../../domain/ids.ts'
import { every } from '../../platform/every.ts'
import { createLeaseWatch, RENEWAL_MS } from '../../platform/lease-watch.ts'
import { type Lease, LeaseLost } from '../ledger/leases.ts'
import { createHeldLease, type HeldLease, type HeldLeasePorts } from './held-lease.ts'

export interface LeaseHolderPorts extends HeldLeasePorts {
  /** Id of this holder, unique among all earlier ones too. */
  readonly holder: string
  readonly log: PublishLog
}

export interface PublishLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** Takes and renews the leases of projects for one holder. */
export interface LeaseHolder {
  /**
   * Takes the project's lease if it is free, already this holder's, or abandoned. Null otherwise: ask again
   * soon, because a lease is only found to be abandoned when it is observed repeatedly.
   */
  take(projectId: ProjectId): Promise<Lease | null>
  /** Runs work while renewing the lease, then gives the lease back. What the work writes goes through `HeldLease.guard`. */
  holdDuring<T>(lease: Lease, work: (held: HeldLease) => Promise<T>): Promise<T>
}

export function createLeaseHolder({ holder, log, ...ports }: LeaseHolderPorts): LeaseHolder {
  const { leases } = ports
  const watch = createLeaseWatch<ProjectId>(ports.monotonic)
  /** Keys of writes given up, after the lease could not be given back. */
  const unnoted = new Map<ProjectId, Set<string>>()

  return {
    async take(projectId) {
      const observed = await leases.find(projectId)
      const isFree = observed.holder === null || observed.holder === holder
      if (!isFree && !watch.isAbandoned(projectId, observed)) return null
      watch.forget(projectId)
      return leases.take(projectId, holder, observed)
    },

    async holdDuring(lease, work) {
      const { projectId } = lease
      const held = createHeldLease(lease, new Set(unnoted.get(projectId)), ports)
      const renewing = every(RENEWAL_MS, () => renew(held))
      try {
        return await work(held)
      } finally {
        await renewing.stop()
        unnoted.set(projectId, new Set(held.keys.givenUp))
        await leases.giveBack(lease, held.keys)
        unnoted.delete(projectId)
      }
    },
  }

  /** A lost lease ends the work through `held.signal`; after any other failure the work confirms the lease itself. */
  async function renew(held: HeldLease): Promise<void> {
    try {
      await held.renew()
    } catch (error) {
      const message =
        error instanceof LeaseLost
          ? 'Another process has taken over the lease of a project. Work on the project ends here.'
          : 'The lease of a project could not be renewed.'
      log.error({ err: error, project: held.lease.projectId }, message)
    }
  }
}

import type { ProjectId } from '../../domain/ids.ts'
import type { Lease, LeaseState, Leases } from '../ledger/leases.ts'

const RENEWAL_MS = 1_000
/** A lease whose beat has not changed for this long, by this process's own clock, is taken over. */
const LEASE_TIMEOUT_MS = 4_000

export interface LeaseHolderPorts {
  readonly leases: Leases
  /** Identifies this holder; unique among all that ever held a lease. */
  readonly holder: string
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
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
  /** Runs work while renewing the lease, then gives the lease back. */
  holdDuring<T>(lease: Lease, work: () => Promise<T>): Promise<T>
}

export function createLeaseHolder({ leases, holder, monotonic, log }: LeaseHolderPorts): LeaseHolder {
  const lastSeen = new Map<ProjectId, LeaseState & { readonly since: number }>()

  return {
    async take(projectId) {
      const observed = await leases.find(projectId)
      const isFree = observed.holder === null || observed.holder === holder
      if (!isFree && !isAbandoned(projectId, observed)) return null
      lastSeen.delete(projectId)
      return leases.take(projectId, holder, observed)
    },

    async holdDuring(lease, work) {
      let lastRenewal = Promise.resolve()
      const timer = setInterval(() => (lastRenewal = renew(lease)), RENEWAL_MS)
      try {
        return await work()
      } finally {
        clearInterval(timer)
        await lastRenewal
        await leases.giveBack(lease)
      }
    },
  }

  function isAbandoned(projectId: ProjectId, observed: LeaseState): boolean {
    const last = lastSeen.get(projectId)
    if (last === undefined || last.fence !== observed.fence || last.beat !== observed.beat) {
      lastSeen.set(projectId, { ...observed, since: monotonic() })
      return false
    }
    return monotonic() - last.since >= LEASE_TIMEOUT_MS
  }

  async function renew(lease: Lease): Promise<void> {
    try {
      await leases.renew(lease)
    } catch (error) {
      log.error({ err: error, project: lease.projectId }, 'The lease of a project could not be renewed.')
    }
  }
}

/** Interval at which holders renew their leases. */
export const RENEWAL_MS = 1_000

/** Time without a renewal after which a lease is abandoned. */
const TIMEOUT_MS = 4_000

/** A lease as every process observes it. */
export interface ObservedLease {
  /** Grows each time the lease changes hands, so that the writes of an earlier holder fail. */
  readonly fence: number
  /** Grows with each renewal. */
  readonly beat: number
}

/** Finds leases whose holders renew them no longer, by the clock of this process: those of others may differ. */
export interface LeaseWatch<Id> {
  /** Whether the lease was not renewed for `TIMEOUT_MS` since this watch first observed it so. */
  isAbandoned(id: Id, observed: ObservedLease): boolean
  forget(id: Id): void
  /** Forgets all leases but these. */
  retain(ids: ReadonlySet<Id>): void
}

/** @param monotonic a clock in milliseconds. */
export function createLeaseWatch<Id>(monotonic: () => number): LeaseWatch<Id> {
  const lastSeen = new Map<Id, ObservedLease & { readonly since: number }>()
  return {
    isAbandoned(id, { fence, beat }) {
      const last = lastSeen.get(id)
      if (last !== undefined && last.fence === fence && last.beat === beat)
        return monotonic() - last.since >= TIMEOUT_MS
      lastSeen.set(id, { fence, beat, since: monotonic() })
      return false
    },
    forget: (id) => void lastSeen.delete(id),
    retain(ids) {
      for (const id of lastSeen.keys()) if (!ids.has(id)) lastSeen.delete(id)
    },
  }
}

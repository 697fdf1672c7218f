/** Interval of renewals. */
export const RENEWAL_MS = 1_000

/** Time without a renewal until a lease is abandoned. */
const TIMEOUT_MS = 4_000

/** State of a lease in the database, the same for every process. */
export interface ObservedLease {
  /** Grows with each change of hands, so that writes of an earlier holder fail. */
  readonly fence: number
  /** Grows with each renewal. */
  readonly beat: number
}

/** Finds abandoned leases by the clock of this process, since clocks of others may differ. */
export interface LeaseWatch<Id> {
  /** Reports whether this watch has observed the lease unchanged for `TIMEOUT_MS`. */
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

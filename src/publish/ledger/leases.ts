import type { ProjectId } from '../../domain/ids.ts'
import type { ObservedLease } from '../../platform/lease-watch.ts'

/**
 * One lease per project: only its holder changes the live site. Implemented by
 * `db/ledger/leases.ts`.
 *
 * Every method of the ledger that takes a lease checks its fence in the transaction: it changes nothing and
 * throws `LeaseLost` when another holder has taken the project over.
 */
export interface Leases {
  find(projectId: ProjectId): Promise<LeaseState>
  /**
   * Takes the lease from the observed state. Null when the state has changed since.
   *
   * Taking over from another holder also schedules a check of the objects it was writing a minute later, because
   * its last writes to the store may still arrive.
   */
  take(projectId: ProjectId, holder: string, observed: LeaseState): Promise<Lease | null>
  /**
   * Renews the lease, so that no other holder takes it over.
   *
   * @throws {LeaseLost} when another holder has taken it.
   */
  renew(lease: Lease): Promise<void>
  /**
   * Gives the lease back, and schedules checks of the keys whose writes were given up. When another holder has taken the
   * lease over, schedules checks of all that were written: the last writes of this one may have changed what the other
   * one had written.
   */
  giveBack(lease: Lease, keys: WrittenKeys): Promise<void>
}

/** Keys written or deleted by a holder, relative to the project. */
export interface WrittenKeys {
  readonly written: Iterable<string>
  /** Keys among them with writes given up and no check scheduled yet. */
  readonly givenUp: Iterable<string>
}

export interface InProject {
  readonly projectId: ProjectId
}

export interface Lease extends InProject {
  readonly holder: string
  /** Grows each time the lease changes hands. */
  readonly fence: number
}

/** State of a project's lease in the database, the same for every process. */
export interface LeaseState extends ObservedLease {
  /** Holder; null for a free lease. */
  readonly holder: string | null
}

/** Loss of the project's lease to another holder. The catching process must stop its work on the project. */
export class LeaseLost extends Error {}

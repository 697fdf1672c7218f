import type { KeyId, SessionId, UserId } from '../domain/ids.ts'
import type { AccountCounts } from './account-counts.ts'

/** Subject that requests count for in all processes: a key or a session, and its user. */
export type SharedSubject = KeyId | SessionId | UserId

/**
 * The counted requests of a key, a session or all those of a user, as all processes share them. Times are Unix
 * milliseconds, ascending.
 */
export interface SharedAccount {
  readonly all: readonly number[]
  readonly endpoints: Readonly<Record<string, readonly number[]>>
  /** The month of the last request, e.g. `2026-11`, and the requests in it. */
  readonly month: string
  readonly monthRequests: number
  /** Only of a user. */
  readonly together?: AccountCounts
}

/** Stores accounts where all processes find them. */
export interface SharedAccounts {
  /**
   * Changes the accounts of these subjects while no other process does. Rejects when it could not: nothing is changed
   * then.
   *
   * @param subjects without duplicates.
   * @param change receives the accounts in the order of the subjects and the time, and returns them as they are to be
   *   stored.
   */
  change(
    subjects: readonly SharedSubject[],
    change: (accounts: readonly SharedAccount[], unix: number) => readonly SharedAccount[],
  ): Promise<void>
}

import type { KeyId } from '../domain/ids.ts'

/** The counted requests of a key, as all processes share them. Times are Unix milliseconds, ascending. */
export interface SharedAccount {
  readonly all: readonly number[]
  readonly endpoints: Readonly<Record<string, readonly number[]>>
  /** The month of the last request, e.g. `2026-11`, and the requests in it. */
  readonly month: string
  readonly monthRequests: number
}

/** Stores accounts where all processes find them. */
export interface SharedAccounts {
  /**
   * Changes the accounts of these keys while no other process does. Rejects when it could not: nothing is changed then.
   *
   * @param keys without duplicates.
   * @param change receives the accounts in the order of the keys and the time, and returns them as they are to be stored.
   */
  change(
    keys: readonly KeyId[],
    change: (accounts: readonly SharedAccount[], unix: number) => readonly SharedAccount[],
  ): Promise<void>
}

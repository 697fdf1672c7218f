import type { KeyId } from './ids.ts'

/** A key in a calendar month. */
export interface KeyMonth {
  readonly keyId: KeyId
  /** `2026-11`, in UTC. */
  readonly month: string
}

export interface MonthUsage extends KeyMonth {
  readonly requests: number
}

import type { KeyMonth, MonthUsage } from '../domain/usage.ts'

/** Where the requests of each key and month are kept for good. */
export interface UsageStore {
  /** How many are written down; 0 when none are. */
  requests(of: KeyMonth): Promise<number>
  /** Add to what is written down: all of it or nothing. No key and month is named twice. */
  add(usages: readonly MonthUsage[]): Promise<void>
}

import type { KeyMonth, MonthUsage } from '../domain/usage.ts'

/** Stores the number of requests of each key and month. */
export interface UsageStore {
  /** The stored number; 0 if there is none. */
  requests(of: KeyMonth): Promise<number>
  /** Adds to the stored numbers, all of them or none. No key and month occurs twice. */
  add(usages: readonly MonthUsage[]): Promise<void>
}

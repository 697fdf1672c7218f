import type { KeyMonth, MonthUsage } from '../../domain/usage.ts'

/** Monthly request counts per key. */
export interface UsageRepository {
  /** 0 without a stored count. */
  requests(of: KeyMonth): Promise<number>
  /** Adds to the stored counts. Each key and month may occur once. */
  add(usages: readonly MonthUsage[]): Promise<void>
}

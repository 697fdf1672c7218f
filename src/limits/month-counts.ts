import type { KeyMonth, MonthUsage } from '../domain/usage.ts'
import type { UsageStore } from './usage-store.ts'

/** Longest time until a count is stored. A crash loses no more than this. */
const SAVE_AFTER_MS = 3_000

export interface MonthCounts {
  /** The key's requests in the month; null if `load` has to read them first. */
  find(of: KeyMonth): number | null
  /** Reads the stored count. Concurrent calls share one read. */
  load(of: KeyMonth): Promise<void>
  /** Counts one more request in a month that is loaded. */
  add(to: KeyMonth): void
  /** Stores what is not stored yet. @throws what the store throws. */
  close(): Promise<void>
}

interface Count extends KeyMonth {
  /** All of the month, stored or not. */
  requests: number
  unsaved: number
}

/**
 * Counts the requests of each key and month in memory and stores them every few seconds in one write.
 *
 * @param onFailure called with the error when a write failed. It is repeated later.
 */
export function createMonthCounts(store: UsageStore, onFailure: (error: unknown) => void): MonthCounts {
  const counts = new Map<string, Count>()
  const loading = new Map<string, Promise<void>>()
  const unsaved = new Set<Count>()
  let timer: NodeJS.Timeout | null = null
  let saving = Promise.resolve()
  let current = ''

  return {
    find: (of) => counts.get(nameOf(of))?.requests ?? null,

    load(of) {
      const name = nameOf(of)
      const reading = loading.get(name) ?? read(of).finally(() => loading.delete(name))
      loading.set(name, reading)
      return reading
    },

    add(to) {
      const count = counts.get(nameOf(to))
      if (count === undefined) throw new RangeError(`The month ${nameOf(to)} is not loaded.`)
      count.requests += 1
      count.unsaved += 1
      unsaved.add(count)
      current = to.month
      timer ??= saveLater()
    },

    async close() {
      if (timer !== null) clearTimeout(timer)
      await saving
      await save()
    },
  }

  async function read(of: KeyMonth): Promise<void> {
    counts.set(nameOf(of), { ...of, requests: await store.requests(of), unsaved: 0 })
  }

  /** One timer at a time; the next one starts when the write has ended. */
  function saveLater(): NodeJS.Timeout {
    const run = () => {
      saving = save()
        .catch(onFailure)
        .finally(() => {
          timer = unsaved.size > 0 ? saveLater() : null
        })
    }
    return setTimeout(run, SAVE_AFTER_MS).unref()
  }

  async function save(): Promise<void> {
    const due = [...unsaved].map((count) => ({ count, requests: count.unsaved }))
    unsaved.clear()
    for (const { count } of due) count.unsaved = 0
    try {
      if (due.length > 0) await store.add(due.map(usageOf))
    } catch (error) {
      for (const { count, requests } of due) {
        count.unsaved += requests
        unsaved.add(count)
      }
      throw error
    }
    forgetPastMonths()
  }

  /** Drops stored counts only, so that loading one again finds all of it. */
  function forgetPastMonths(): void {
    for (const [name, { month, unsaved }] of counts)
      if (month !== current && unsaved === 0) counts.delete(name)
  }
}

function usageOf({ count: { keyId, month }, requests }: { count: Count; requests: number }): MonthUsage {
  return { keyId, month, requests }
}

function nameOf({ keyId, month }: KeyMonth): string {
  return `${month} ${keyId}`
}

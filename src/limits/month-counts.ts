import type { KeyMonth, MonthUsage } from '../domain/usage.ts'
import type { UsageStore } from './usage-store.ts'

/** How long a count may wait to be written down; a crash loses no more than this. */
const SAVE_AFTER_MS = 3_000

export interface MonthCounts {
  /** The key's requests in the month, or null where `load` has to read them first. */
  find(of: KeyMonth): number | null
  /** Read what is written down; once for many who ask at the same time. */
  load(of: KeyMonth): Promise<void>
  /** Count one more in a month that was found. */
  add(to: KeyMonth): void
  /** Write down what is not yet. @throws what the store throws. */
  close(): Promise<void>
}

interface Count extends KeyMonth {
  /** All of the month, written down or not. */
  requests: number
  unsaved: number
}

/**
 * How much of a month each key has used: in memory, and written down every few seconds in one go.
 *
 * @param onFailure is told why that failed; it is tried again.
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

  /** One timer at a time, until what it started is over. */
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

  /** Only those that are written down, so that reading one again finds all of it. */
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

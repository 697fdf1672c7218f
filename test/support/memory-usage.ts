import type { UsageStore } from '../../src/limits/usage-store.ts'

/** Monthly usage in a map, for tests without a database. */
export function createMemoryUsage(): UsageStore {
  const written = new Map<string, number>()
  return {
    requests: async ({ keyId, month }) => written.get(`${keyId} ${month}`) ?? 0,
    async add(usages) {
      for (const { keyId, month, requests } of usages) {
        const name = `${keyId} ${month}`
        written.set(name, (written.get(name) ?? 0) + requests)
      }
    },
  }
}

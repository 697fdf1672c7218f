export interface ExpiringMap<Value> {
  /** The value of `id`, made when there is none. */
  get(id: string, time: number): Value
  /** The value of `id`, or null; being looked for does not keep it. */
  find(id: string): Value | null
}

/**
 * Values that go when they were not asked for: never within `keepMs` unless there are more than `max`,
 * and then the ones asked for longest ago.
 *
 * There are two generations. A value that is asked for moves to the young one; when that is full or
 * `keepMs` old it becomes the old one, and what was old is dropped whole. So nothing has to be searched
 * for what is out of date, and nothing has to run when there are no requests.
 */
export function createExpiringMap<Value>({
  keepMs,
  max,
  make,
}: {
  readonly keepMs: number
  readonly max: number
  readonly make: () => Value
}): ExpiringMap<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  let bornAt = Number.NEGATIVE_INFINITY

  return {
    get(id, time) {
      if (time - bornAt >= keepMs || young.size >= max / 2) {
        old = young
        young = new Map()
        bornAt = time
      }
      const known = young.get(id)
      if (known !== undefined) return known
      const value = old.get(id) ?? make()
      young.set(id, value)
      return value
    },

    find: (id) => young.get(id) ?? old.get(id) ?? null,
  }
}

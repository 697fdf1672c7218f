export interface ExpiringMap<Value> {
  /** The value of `id`, created if there is none. */
  get(id: string, time: number): Value
  /** The value of `id`, or null. Does not count as a use. */
  find(id: string): Value | null
}

/**
 * Creates a map that drops values not used for a while: never within `keepMs` unless there are more than `max`, and
 * then those used longest ago.
 *
 * It has two generations. A used value moves to the young one. When that is full or `keepMs` old it becomes the old
 * one, and the previous old one is dropped as a whole. No expired entry has to be searched for, and no timer has to run
 * while there are no requests.
 */
export function createExpiringMap<Value>({
  keepMs,
  max,
  create,
}: {
  readonly keepMs: number
  readonly max: number
  readonly create: () => Value
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
      const value = old.get(id) ?? create()
      young.set(id, value)
      return value
    },

    find: (id) => young.get(id) ?? old.get(id) ?? null,
  }
}

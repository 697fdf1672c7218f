/** Random numbers from a seed. The same seed gives the same numbers. */
export interface Random {
  /** An integer from 0 up to, but not including, `bound`. */
  below(bound: number): number
  /** True with this probability, 0 to 1. */
  chance(share: number): boolean
  pick<T>(values: readonly T[]): T
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0

  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)

  return {
    below,
    chance: (share) => next() < share,
    pick(values) {
      const value = values[below(values.length)]
      if (value === undefined && values.length === 0) throw new RangeError('There is nothing to pick from.')
      return value as (typeof values)[number]
    },
  }
}

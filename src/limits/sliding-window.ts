/**
 * Moments in ascending order. One list per subject serves all its windows; it changes in place,
 * since there is one change for every request.
 */
export interface Timestamps {
  readonly values: number[]
  /** Index of the oldest that is not forgotten. */
  start: number
}

export function noTimestamps(): Timestamps {
  return { values: [], start: 0 }
}

/** @param moment not before any other. */
export function add({ values }: Timestamps, moment: number): void {
  values.push(moment)
}

/** Forget what lies at or before `moment`. The list is closed up once half of it is forgotten. */
export function dropUntil(moments: Timestamps, moment: number): void {
  moments.start = indexAfter(moments, moment)
  if (moments.start === 0 || moments.start * 2 < moments.values.length) return
  moments.values.copyWithin(0, moments.start)
  moments.values.length -= moments.start
  moments.start = 0
}

export function countAfter(moments: Timestamps, moment: number): number {
  return moments.values.length - indexAfter(moments, moment)
}

/** The oldest after `moment`, or null. */
export function oldestAfter(moments: Timestamps, moment: number): number | null {
  return moments.values[indexAfter(moments, moment)] ?? null
}

/** @param n 1 for the newest. @returns null when there are fewer. */
export function newest({ values, start }: Timestamps, n: number): number | null {
  const index = values.length - n
  return index < start ? null : (values[index] ?? null)
}

function indexAfter({ values, start }: Timestamps, moment: number): number {
  let low = start
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] ?? moment) <= moment) low = middle + 1
    else high = middle
  }
  return low
}

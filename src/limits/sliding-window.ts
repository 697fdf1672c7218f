/**
 * Times of requests in ascending order. One list per subject serves all its windows. It is mutable, because every
 * request changes it.
 */
export interface Timestamps {
  readonly values: number[]
  /** Index of the oldest time that is not dropped. */
  start: number
}

export function noTimestamps(): Timestamps {
  return { values: [], start: 0 }
}

/** @param time not before any other. */
export function add({ values }: Timestamps, time: number): void {
  values.push(time)
}

/** Drops times up to and including `time`. Compacts the list once half of it is dropped. */
export function dropUntil(timestamps: Timestamps, time: number): void {
  timestamps.start = indexAfter(timestamps, time)
  if (timestamps.start === 0 || timestamps.start * 2 < timestamps.values.length) return
  timestamps.values.copyWithin(0, timestamps.start)
  timestamps.values.length -= timestamps.start
  timestamps.start = 0
}

export function countAfter(timestamps: Timestamps, time: number): number {
  return timestamps.values.length - indexAfter(timestamps, time)
}

/** The oldest time after `time`, or null. */
export function oldestAfter(timestamps: Timestamps, time: number): number | null {
  return timestamps.values[indexAfter(timestamps, time)] ?? null
}

/** @param n 1 for the newest. @returns null if there are fewer. */
export function newest({ values, start }: Timestamps, n: number): number | null {
  const index = values.length - n
  return index < start ? null : (values[index] ?? null)
}

function indexAfter({ values, start }: Timestamps, time: number): number {
  let low = start
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] ?? time) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Makes of the readings of a clock a time that never runs back, and goes on at once where a clock that
 * was set back would have it wait: windows measured on it neither open early nor stay shut for hours.
 */
export function createMonotonicClock(): (reading: number) => number {
  let previous = Number.NEGATIVE_INFINITY
  let setBack = 0
  return (reading) => {
    setBack += Math.max(0, previous - reading)
    previous = reading
    return reading + setBack
  }
}

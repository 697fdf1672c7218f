/**
 * Turns readings of a wall clock into a time that never runs backwards. When the clock is set back, the time
 * continues from its last value, so that windows measured with it neither open early nor stay closed for hours.
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

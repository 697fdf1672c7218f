/**
 * The current time in seconds, with microseconds. File systems take times from a clock that ticks every few
 * milliseconds, and reuse inodes, so two versions of a file could get the same entity tag without it.
 */
export function preciseTimestamp(): number {
  return (performance.timeOrigin + performance.now()) / 1000
}

/**
 * File systems stamp times by a clock that ticks every few milliseconds, and inodes are used again at once;
 * a finer stamp, in seconds, is what makes the entity tag of each version its own.
 */
export function preciseTimestamp(): number {
  return (performance.timeOrigin + performance.now()) / 1000
}

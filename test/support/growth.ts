const SMALL = 12_500
const FACTOR = 8
/** What takes less CPU time cannot be told from noise. */
const NOISE_MS = 4

/** Between 8 and 64. Linear work that keeps many objects has been seen at 25, since memory is cleaned up more often. */
export const LINEAR_GROWTH = 32
/** A growth beyond the limit may be that of other work, which does not repeat itself; that of the square does. */
const ATTEMPTS = 3

/**
 * How many times the CPU time grows when a text becomes eight times as long: 8 when it grows with the text, 64 when with
 * its square. The least growth of some attempts and the fastest of some runs count, since other work on the machine, such
 * as compiling and clean-up of memory, only adds to them.
 *
 * @param size of the short text, in characters. Quick work needs more of them: below the noise no growth is seen.
 */
export function growthOf(
  textOf: (size: number) => string,
  work: (text: string) => unknown,
  size = SMALL,
): number {
  const [small, large] = [textOf(size), textOf(size * FACTOR)]
  work(small)
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least >= LINEAR_GROWTH; attempt++) {
    const before = fastest(3, () => work(small))
    least = Math.min(least, fastest(2, () => work(large)) / Math.max(NOISE_MS, before))
  }
  return least
}

function fastest(runs: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    work()
    const { user, system } = process.cpuUsage(before)
    // Other processes add to the time by the clock, and threads that clean up memory to that of the processor.
    least = Math.min(least, performance.now() - start, (user + system) / 1000)
  }
  return least
}

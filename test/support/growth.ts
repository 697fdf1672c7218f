const SMALL = 12_500
const FACTOR = 8
/** What takes less CPU time cannot be told from noise. */
const NOISE_MS = 4

/**
 * How many times the CPU time grows when a text of 12,500 characters becomes one of 100,000: 8 when it grows with the
 * text, 64 when with its square. The fastest of some runs counts, since other work on the machine only adds to them.
 */
export function growthOf(textOf: (size: number) => string, work: (text: string) => unknown): number {
  const [small, large] = [textOf(SMALL), textOf(SMALL * FACTOR)]
  work(small)
  const before = fastest(3, () => work(small))
  return fastest(2, () => work(large)) / Math.max(NOISE_MS, before)
}

/** Between 8 and 64, with room for caches and clean-up of memory. */
export const LINEAR_GROWTH = 24

function fastest(runs: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

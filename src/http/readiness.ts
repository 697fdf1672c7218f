/** One part of the service that can be checked. Its check may write, and may hang. */
export interface Probe {
  readonly name: string
  readonly timeoutMs: number
  readonly check: () => Promise<void>
}

export interface ReadinessPorts {
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly onFailure: (name: string, error: unknown) => void
}

/** Time for which an answer is repeated without another check: the route needs no key, and a check writes. */
const FRESH_MS = 1_000

/** Checks all parts, at most once a second however often it is called, and resolves with whether each works. */
export function createReadiness(
  probes: readonly Probe[],
  { monotonic, onFailure }: ReadinessPorts,
): () => Promise<readonly boolean[]> {
  const checks = probes.map((probe) => withoutOverlap(probe))
  let latest: { readonly results: Promise<readonly boolean[]>; endedAt: number | null } | null = null

  return () => {
    if (latest === null || (latest.endedAt !== null && monotonic() - latest.endedAt >= FRESH_MS)) {
      const started: typeof latest = { results: Promise.all(probes.map(works)), endedAt: null }
      void started.results.then(() => (started.endedAt = monotonic()))
      latest = started
    }
    return latest.results
  }

  async function works({ name }: Probe, index: number): Promise<boolean> {
    try {
      await checks[index]?.()
      return true
    } catch (error) {
      onFailure(name, error)
      return false
    }
  }
}

/** Rejects after the timeout, and at once while an earlier call still hangs: each one may occupy a thread. */
function withoutOverlap({ timeoutMs, check }: Probe): () => Promise<void> {
  let hanging: Promise<void> | null = null
  return async () => {
    if (hanging !== null) throw new Error('An earlier check has not ended yet.')
    const running = check().finally(() => (hanging = null))
    hanging = running
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It did not answer within ${timeoutMs} ms.`)), timeoutMs)
    })
    try {
      await Promise.race([running, timeout])
    } finally {
      clearTimeout(timer)
    }
  }
}

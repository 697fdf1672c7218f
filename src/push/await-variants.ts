import type { Client } from '../client/client.ts'
import type { Progress } from './publish-pages.ts'

/**
 * The longest wait. A service derives one image of an account at a time, which takes some seconds for a large photo.
 */
const LONGEST_WAIT_MS = 5 * 60_000
/** Time between two polls. It grows with each poll that finds nothing new, to stay within the rate limits. */
const FIRST_POLL_MS = 200
const LONGEST_POLL_MS = 3_000

export interface VariantPorts {
  readonly api: Client
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** Waits for smaller images before pages are published, so that the pages have them. Absent: does not wait. */
  readonly variants?: {
    readonly pause: (ms: number) => Promise<void>
    readonly onDerived: Progress
  }
}

/**
 * Waits until the smaller images of these assets are derived, for at most `LONGEST_WAIT_MS`. Does not wait where
 * nothing is published.
 *
 * @param ids in the order of their uploads, in which they are derived.
 * @returns the number of unfinished assets.
 */
export async function awaitVariants(
  ids: readonly string[],
  { publish, dryRun }: { readonly publish: boolean; readonly dryRun: boolean },
  { api, monotonic, variants }: VariantPorts,
): Promise<number> {
  if (!publish || dryRun) return 0
  if (variants === undefined) return ids.length
  const until = monotonic() + LONGEST_WAIT_MS
  let interval = FIRST_POLL_MS
  let done = 0
  for (const id of ids) {
    while ((await api.assets.get(id)).status === 'processing') {
      const left = until - monotonic()
      if (left <= 0) {
        // Ends the line of progress.
        variants.onDerived(ids.length, ids.length)
        return ids.length - done
      }
      await variants.pause(Math.min(interval, left))
      interval = Math.min(interval * 2, LONGEST_POLL_MS)
    }
    interval = FIRST_POLL_MS
    variants.onDerived(++done, ids.length)
  }
  return 0
}

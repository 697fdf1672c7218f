const CONCURRENT_WRITES = 32

/** Waits for every write, also after one fails, so that none still runs when the error is thrown. Throws the first error. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  write: (item: Item) => Promise<void>,
): Promise<void> {
  const results = await mapConcurrently(
    items,
    CONCURRENT_WRITES,
    async (item) => (await Promise.allSettled([write(item)]))[0],
  )
  const failed = results.find((write) => write.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/**
 * Starts the next item whenever one finishes. Unlike with a queue, an item that has not started takes no memory.
 *
 * @param max items at a time.
 * @returns the results in the order of the items.
 * @throws the first error, after which no further item is started.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  max: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const remaining = items.entries()
  const results = new Array<Result>(items.length)
  let hasFailed = false
  const worker = async () => {
    for (const [index, item] of remaining) {
      if (hasFailed) return
      try {
        results[index] = await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, worker))
  return results
}

/**
 * Settles as the work does, or rejects with the signal's reason as soon as that is aborted. The work then continues,
 * and its result is ignored.
 */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Writes under way at once. */
const WRITES = 32

/** Waits for all, so that no write is still under way when a failure is reported, then throws the first one. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  write: (item: Item) => Promise<void>,
): Promise<void> {
  const ended = await mapConcurrently(
    items,
    WRITES,
    async (item) => (await Promise.allSettled([write(item)]))[0],
  )
  const failed = ended.find((write) => write.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/**
 * Begins with the next item whenever another is done. What is not begun takes no memory, unlike what waits for its
 * turn in a queue.
 *
 * @returns what came of each, in the order of the items.
 * @throws what the first one threw that failed; no other is begun then.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const left = items.entries()
  const results = new Array<Result>(items.length)
  let hasFailed = false
  const takeTurns = async () => {
    for (const [place, item] of left) {
      if (hasFailed) return
      try {
        results[place] = await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeTurns))
  return results
}

/** What was wrong with the store is its cause. */
export class StoreFailed extends Error {}

/** A store's failures are told from all others: they are over one day, so visitors may come again. */
export async function orStoreFailed<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    throw new StoreFailed('The store failed.', { cause: error })
  }
}

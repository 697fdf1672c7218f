/** A failure of the store; `cause` is the original error. */
export class StoreFailed extends Error {}

/** Wraps errors of the store, which are temporary and answered with 503 instead of 500. */
export async function wrapStoreErrors<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    throw new StoreFailed('The store failed.', { cause: error })
  }
}

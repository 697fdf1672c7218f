/**
 * Statements of one transaction that do not need each other, sent at once: one after the other, each would
 * wait for this thread anew while the whole transaction holds the lock. In which order they are done is
 * nobody's.
 *
 * Rejects as the first of those that fail, once all have ended: nothing runs beside the end of the transaction.
 */
export async function together<const Statements extends readonly PromiseLike<unknown>[]>(
  statements: Statements,
): Promise<{ readonly [Index in keyof Statements]: Awaited<Statements[Index]> }> {
  const settled = await Promise.allSettled(statements)
  const failed = settled.find((it) => it.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return settled.map((it) => it.status === 'fulfilled' && it.value) as {
    readonly [Index in keyof Statements]: Awaited<Statements[Index]>
  }
}

/**
 * Statements of one transaction that do not depend on each other, which the database gets without waiting for the
 * answer to the one before: it still carries them out one by one. Waits for all, so that none is carried out
 * after the transaction was undone.
 *
 * @throws what the first of those that failed threw, in the order in which they are given.
 */
export async function sideBySide<Asked extends readonly Promise<unknown>[]>(
  ...asked: Asked
): Promise<{ -readonly [Place in keyof Asked]: Awaited<Asked[Place]> }> {
  const ends = await Promise.allSettled(asked)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return Promise.all(asked)
}

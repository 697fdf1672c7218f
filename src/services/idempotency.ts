import type { Repositories } from '../db/repositories.ts'
import type { Caller } from '../domain/caller.ts'

/**
 * The effect of a request that may be sent again happens once: `make` runs now, or what it made the
 * first time is found again. Belongs into the transaction of the effect.
 *
 * @param make resolves with the id of what it made.
 */
export async function once<MadeId extends string>(
  { repeats }: Repositories,
  { repeatable }: Caller,
  now: string,
  make: () => Promise<MadeId>,
): Promise<MadeId> {
  if (repeatable === null) return make()
  const earlier = await repeats.find(repeatable, now)
  if (earlier !== null && earlier.resourceId !== null) return earlier.resourceId as MadeId
  const made = await make()
  await repeats.claim(repeatable, made, now)
  return made
}

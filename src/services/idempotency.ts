import type { Repositories } from '../db/repositories.ts'
import type { Caller } from '../domain/caller.ts'

/**
 * Gives a request with an idempotency key its effect only once: runs `create`, or finds the resource that the
 * first request with this key created. Call it inside the transaction of the effect.
 *
 * @param create resolves with the id of the new resource.
 */
export async function withIdempotency<ResourceId extends string>(
  { idempotency }: Repositories,
  { idempotentRequest }: Caller,
  now: string,
  create: () => Promise<ResourceId>,
): Promise<ResourceId> {
  if (idempotentRequest === null) return create()
  const record = await idempotency.find(idempotentRequest, now)
  if (record !== null && record.resourceId !== null) return record.resourceId as ResourceId
  const id = await create()
  await idempotency.insert(idempotentRequest, id, now)
  return id
}

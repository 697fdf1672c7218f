import type { IdempotencyRecord } from '../db/repositories/idempotency.ts'
import type { Repositories } from '../db/repositories.ts'
import type { Caller, IdempotentRequest } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'

/**
 * Gives a request with an idempotency key its effect only once: runs `create`, or finds the resource that the
 * first request with this key created. Call it inside the transaction of the effect.
 *
 * @param create resolves with the id of the new resource.
 * @throws {ServiceError} `invalid_request` when the first request with this key had another body. The request may have
 *   reached another process since the key was looked up.
 */
export async function withIdempotency<ResourceId extends string>(
  { idempotency }: Repositories,
  { idempotentRequest }: Caller,
  now: string,
  create: () => Promise<ResourceId>,
): Promise<ResourceId> {
  if (idempotentRequest === null) return create()
  const record = await idempotency.find(idempotentRequest, now)
  assertSameRequest(idempotentRequest, record)
  if (record !== null && record.resourceId !== null) return record.resourceId as ResourceId
  const id = await create()
  await idempotency.insert(idempotentRequest, id, now)
  return id
}

/** @throws {ServiceError} `invalid_request` when the record is of a request with another body or query. */
export function assertSameRequest(
  { bodyDigest }: IdempotentRequest,
  record: Pick<IdempotencyRecord, 'bodyDigest'> | null,
): void {
  if (record === null || record.bodyDigest === bodyDigest) return
  throw new ServiceError('invalid_request', 'Idempotency-Key: was used before with another body or query.')
}

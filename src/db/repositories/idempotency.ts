import type { IdempotentRequest } from '../../domain/caller.ts'

/** Requests with an idempotency key and their answers, stored for a day. */
export interface IdempotencyRepository {
  find(request: IdempotentRequest, now: string): Promise<IdempotencyRecord | null>
  /** Records the resource that a request created. Call it inside the transaction that creates it. */
  insert(request: IdempotentRequest, resourceId: string, now: string): Promise<void>
  /** Records of parts of a request, by their paths. Accepts at most 500. */
  findParts(
    request: IdempotentRequest,
    paths: readonly string[],
    now: string,
  ): Promise<ReadonlyMap<string, IdempotencyRecord>>
  /** Records parts of a request with their results, as JSON. Call it inside the transaction of their effects. */
  insertParts(parts: readonly (readonly [IdempotentRequest, string])[], now: string): Promise<void>
  /** Stores the answer for repetitions of the request. Ignored when the record is of a request with another body. */
  storeAnswer(request: IdempotentRequest, answer: StoredAnswer, now: string): Promise<void>
  /** Deletes the record of this request, so that a repetition is executed. */
  delete(request: IdempotentRequest): Promise<void>
  /** Deletes some of the expired records. False when none is left. */
  prune(now: string): Promise<boolean>
}

export interface IdempotencyRecord {
  readonly bodyDigest: string
  readonly resourceId: string | null
  /** The stored answer; null when the process ended between the effect and the answer. */
  readonly answer: StoredAnswer | null
}

export interface StoredAnswer {
  readonly status: number
  /** JSON. */
  readonly body: string
  /** The `ETag` header; null for an error. */
  readonly etag: string | null
  /** The `Location` header; null without one. */
  readonly location: string | null
}

import type { KeyId } from '../domain/ids.ts'
import type { Allowance, LimitedEndpoint, Refusal } from '../domain/rate-limit.ts'

/**
 * Counts requests and decides which are too many. Implemented in memory by `in-memory.ts`;
 * `test/contract/limits-contract.ts` is the executable form of this comment.
 *
 * Windows slide: a limit of 10 in 10 s means that no 10 seconds ever hold more than 10 accepted
 * requests, wherever they begin. Only the month is the calendar's, in UTC. The hour and all that is
 * shorter is forgotten with the process; the month's count is kept.
 */
export interface RateLimits {
  /**
   * Decide about one request over all its windows in one step: it is counted in each of them, or
   * refused and counted in none. Answers at once where it can, so that the way of most requests is short.
   */
  take(request: CountedRequest): Decision | Promise<Decision>
  /** Where a subject stands; counts nothing. */
  peek(request: Pick<CountedRequest, 'subject' | 'budget'>): LimitStatus | Promise<LimitStatus>
  /** Write down what outlives the process. */
  close(): Promise<void>
}

export interface CountedRequest {
  readonly subject: Subject
  /** Calls of the API, or visits of pages and previews, which have 1,000 a minute of their own. */
  readonly budget: 'calls' | 'visits'
  /** The endpoint whose own limit counts besides, if it has one. */
  readonly endpoint: LimitedEndpoint | null
}

/**
 * Who a request is counted for. Without a known key it is the client's address, on the standard plan;
 * there may be any number of addresses, so only those seen of late are sure to be remembered.
 */
export type Subject =
  | { readonly kind: 'key'; readonly id: KeyId; readonly allowance: Allowance }
  | { readonly kind: 'address'; readonly id: string }

/** What is left for a subject right now. Limits and what is left of them are `Infinity` when unlimited. */
export interface LimitStatus {
  readonly limit: number
  readonly remaining: number
  /** When the oldest counted request of the minute leaves it, in Unix milliseconds; now when none is counted. */
  readonly resetAt: number
  readonly burstLimit: number
  readonly burstRemaining: number
}

/** The standing after the request, and why it was refused; null when it was let in. */
export interface Decision extends LimitStatus {
  readonly refusal: Refusal | null
}

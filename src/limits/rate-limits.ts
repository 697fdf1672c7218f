import type { KeyId, SessionId, UserId } from '../domain/ids.ts'
import type { Allowance, LimitedEndpoint, Refusal, WindowUsage } from '../domain/rate-limit.ts'

/**
 * Counts requests and refuses those beyond a limit. Implemented in memory by `in-memory.ts`;
 * `test/contract/limits-contract.ts` is the executable form of this comment.
 *
 * Windows slide: with a limit of 10 in 10 s, no period of 10 seconds holds more than 10 accepted requests,
 * wherever it starts. Only the month is a calendar month, in UTC. Its count is stored; the counts of the hour
 * and of shorter windows end with the process.
 */
export interface RateLimits {
  /**
   * Decides about one request over all its windows in one step: it counts in each of them, or is refused and
   * counts in none. Returns without a promise where it can, which is faster.
   */
  take(request: CountedRequest): Decision | Promise<Decision>
  /**
   * Counts an accepted request as this many more, because it proved costly, in every window but those of endpoints and
   * the month. Refuses nothing: a window that is exceeded opens later.
   */
  charge(request: CountedRequest, more: number): LimitStatus | Promise<LimitStatus>
  /** The current status of a subject, without the windows of endpoints, months and accounts. Counts nothing. */
  peek(request: Pick<CountedRequest, 'subject' | 'budget'>): LimitStatus | Promise<LimitStatus>
  /** Returns the usage of each limit of a key for calls. Counts nothing. */
  usage(key: KeySubject): Promise<WindowUsage>
  /** Stores the counts of months. */
  close(): Promise<void>
}

export interface CountedRequest {
  readonly subject: Subject
  /** Calls of the API, or visits of pages and previews, which have a separate budget of 1,000 a minute. */
  readonly budget: 'calls' | 'visits'
  /** The endpoint whose additional limit counts, if it has one. */
  readonly endpoint: LimitedEndpoint | null
}

/**
 * The key, session, user or client address that a request counts for. Requests without a known key count for their
 * address, on the standard plan, as those of a session do. Only recent addresses are certain to be counted, because
 * their number is unlimited.
 *
 * All keys and sessions of a user have some times the burst, minute and hour of the user's largest plan together. What
 * a user reads in the dashboard counts for the user alone, in all sessions.
 */
export type Subject =
  | KeySubject
  | { readonly kind: 'session'; readonly id: SessionId; readonly account: AccountBudget }
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'address'; readonly id: string }

export interface KeySubject {
  readonly kind: 'key'
  readonly id: KeyId
  readonly allowance: Allowance
  readonly account: AccountBudget
}

/** The user behind a key or a session, and the allowance of the largest plan of that user's valid keys. */
export interface AccountBudget {
  readonly id: UserId
  readonly allowance: Allowance
}

/** The limits of a subject and what remains of them; `Infinity` if unlimited. */
export interface LimitStatus {
  readonly limit: number
  readonly remaining: number
  /** When the oldest counted request of the minute leaves it, in Unix milliseconds; now when none is counted. */
  readonly resetAt: number
  readonly burstLimit: number
  readonly burstRemaining: number
  /** The windows that have a limit. */
  readonly windows: readonly WindowStatus[]
}

/** A window with a limit. An account shows its most used window alone. */
export interface WindowStatus {
  readonly name: Refusal['window']
  readonly limit: number
  readonly remaining: number
  /** In milliseconds; null for a calendar month. */
  readonly lengthMs: number | null
  /** Time until its oldest counted request leaves it, in milliseconds; 0 without any. */
  readonly resetMs: number
}

/** The status after the request, and why it was refused; null if it was accepted. */
export interface Decision extends LimitStatus {
  readonly refusal: Refusal | null
}

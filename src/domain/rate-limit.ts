/** Operations with a limit of their own, in addition to the general ones. */
export type LimitedEndpoint = 'create_page' | 'update_page' | 'create_project'

/**
 * Requests per window: any 10 s (`burst`), 60 s, 3600 s, the calendar month in UTC, and any 60 s for each limited
 * endpoint. `Infinity`: no limit; 0: no request is allowed.
 */
export type Allowance = Readonly<Record<'burst' | 'minute' | 'hour' | 'month' | LimitedEndpoint, number>>

/** Requests in each window; null where there is no limit, so that none are counted. */
export type WindowUsage = Readonly<Record<keyof Allowance, number | null>>

/** The window whose limit a request exceeded. */
export interface Refusal {
  readonly window: 'burst' | 'minute' | 'hour' | 'month' | 'endpoint' | 'account'
  /** Which window of the account is full; only with `account`. */
  readonly span?: 'burst' | 'minute' | 'hour'
  readonly limit: number
  /** Whole seconds, at least one, after which the request is allowed unless others came first. */
  readonly retryAfter: number
}

/** Operations that have a limit of their own besides the general ones. */
export type LimitedEndpoint = 'create_page' | 'update_page' | 'create_project'

/**
 * How many requests fit into each window: any 10 s, any 60 s, any 3600 s, the calendar month in UTC,
 * and for each limited endpoint any 60 s. `Infinity` where there is no limit; 0 lets nothing in.
 */
export type Allowance = Readonly<Record<'burst' | 'minute' | 'hour' | 'month' | LimitedEndpoint, number>>

/** The window a request did not fit into. */
export interface Refusal {
  readonly window: 'burst' | 'minute' | 'hour' | 'month' | 'endpoint'
  readonly limit: number
  /** Whole seconds, at least one; after them the same request fits, unless others came first. */
  readonly retryAfter: number
}

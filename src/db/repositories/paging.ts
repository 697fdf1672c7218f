export interface Paging<Sort extends string> {
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

export interface Listed<T> {
  readonly items: readonly T[]
  /** Number of all matches, not only of this page. */
  readonly total: number
}

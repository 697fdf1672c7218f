/** The place of an item in a list: the value that the list is sorted by, and the id that decides between equal ones. */
export interface Position {
  readonly key: string | number
  readonly id: string | number
}

/** A part of a list. */
export interface Slice {
  readonly limit: number
  readonly offset: number
  /** The item before the first one, in place of `offset`. */
  readonly after?: Position | null
}

export interface Paging<Sort extends string> extends Slice {
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
}

export interface Listed<T> {
  readonly items: readonly T[]
  /** Number of all matches, not only of this part. Not counted, and 0, for a part after an item. */
  readonly total: number
  /** Of each item. */
  readonly positions: readonly Position[]
  /** Where the next part begins; null when the list ends here. */
  readonly end: Position | null
}

/** A list without items. */
export const NONE_LISTED: Listed<never> = { items: [], total: 0, positions: [], end: null }

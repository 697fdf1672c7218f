import type { ReserveBytes } from '../domain/caller.ts'
import { countWithin } from '../domain/list-bytes.ts'

/** Above this, memory is reserved before the content of a page, or settings, are read. */
export const LARGE_BYTES = 64 * 1024

/** A row of a list by its id, with the bytes of its large columns. */
export interface SizeRow<Id extends string = string> {
  readonly id: Id
  readonly bytes: number
}

/**
 * Reserves memory for as many rows as fit into a list, before they are read.
 *
 * @returns their ids, in the same order.
 */
export function reserveFitting<Id extends string>(
  rows: readonly SizeRow<Id>[],
  reserve: ReserveBytes | undefined,
): readonly Id[] {
  const fitting = rows.slice(0, countWithin(rows.map(({ bytes }) => bytes)))
  reserve?.(fitting.reduce((sum, { bytes }) => sum + bytes, 0))
  return fitting.map(({ id }) => id)
}

import type { Knex } from 'knex'
import type { Listed, Position, Slice } from '../domain/paging.ts'

/** What sorts a list: a column and the id, or one column that is unique. */
export type SortColumns = readonly [key: string | Knex.Raw] | readonly [key: string | Knex.Raw, id: string]

/**
 * A part of a list in an order that is total, so that parts neither overlap nor skip rows.
 *
 * Compares rows as one value, for which both databases use an index.
 */
export function sliced(
  query: Knex.QueryBuilder,
  columns: SortColumns,
  order: 'asc' | 'desc',
  { limit, offset, after }: Slice,
): Knex.QueryBuilder {
  for (const column of columns) query.orderBy(column, order)
  query.limit(limit)
  return after == null ? query.offset(offset) : query.where(isAfter(columns, order, after))
}

/** The condition that a row comes after a position. */
export function isAfter(columns: SortColumns, order: 'asc' | 'desc', { key, id }: Position) {
  const names = columns.map((column) => (typeof column === 'string' ? '??' : '?')).join(', ')
  const values = columns.length === 1 ? [key] : [key, id]
  const given = values.map(() => '?').join(', ')
  const sql = `(${names}) ${order === 'asc' ? '>' : '<'} (${given})`
  return (where: Knex.QueryBuilder) => where.whereRaw(sql, [...columns, ...values])
}

/** Number of all matches; 0 for a part after an item. */
export async function totalOf(matching: Knex.QueryBuilder, { after }: Slice): Promise<number> {
  if (after != null) return 0
  const count: { readonly total: number | string } = await matching.count({ total: '*' }).first()
  return Number(count.total)
}

/**
 * @param positions of the rows of a part, in order.
 * @param items of the first of these rows.
 */
export function listed<Item>(
  items: readonly Item[],
  positions: readonly Position[],
  { limit }: Slice,
  total: number,
): Listed<Item> {
  const shown = positions.slice(0, items.length)
  const isCut = items.length < positions.length
  const end = isCut || positions.length >= limit ? (shown.at(-1) ?? null) : null
  return { items, total, positions: shown, end }
}

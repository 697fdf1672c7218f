import type { Listed } from '../../domain/paging.ts'

/** The envelope of successful answers on the legacy surface. */
export function enveloped<T>(data: T) {
  return { success: true, data }
}

export function envelopedList<T>(
  { items, total }: Pick<Listed<T>, 'items' | 'total'>,
  offset: number,
  present: (item: T) => object,
) {
  return { success: true, data: items.map(present), has_more: offset + items.length < total, total }
}

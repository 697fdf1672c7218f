import type { Listed } from '../../db/repositories.ts'

/** What an answer of the legacy surface is wrapped in; errors are flat, as everywhere. */
export function enveloped<T>(data: T) {
  return { success: true, data }
}

export function envelopedList<T>({ items, total }: Listed<T>, offset: number, present: (item: T) => object) {
  return { success: true, data: items.map(present), has_more: offset + items.length < total, total }
}

import type { Page } from '../../domain/page.ts'

/** A page that asks to be left out where pages are searched for. */
export function isUnlisted({ meta }: Pick<Page, 'meta'>): boolean {
  return /\b(noindex|none)\b/i.test(meta.robots ?? '')
}

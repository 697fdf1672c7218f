import type { Page } from '../../domain/page.ts'

/** True for pages that ask search engines to skip them. */
export function isUnlisted({ meta }: Pick<Page, 'meta'>): boolean {
  return /\b(noindex|none)\b/i.test(meta.robots ?? '')
}

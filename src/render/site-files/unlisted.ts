import { NOT_FOUND_PATH } from '../../domain/not-found-page.ts'
import type { Page } from '../../domain/page.ts'

interface Listable {
  readonly page: Pick<Page, 'meta'>
  readonly path: string
}

/** True for pages that ask search engines to skip them, and for the page for unknown paths. */
export function isUnlisted({ page: { meta }, path }: Listable): boolean {
  return path === NOT_FOUND_PATH || /\b(noindex|none)\b/i.test(meta.robots ?? '')
}

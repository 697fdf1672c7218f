import { notFoundKey } from '../../domain/not-found-page.ts'
import type { Page } from '../../domain/page.ts'
import type { Settings } from '../../domain/settings.ts'

interface Listable {
  readonly page: Pick<Page, 'meta'>
  readonly path: string
  readonly settings: Pick<Settings, 'locales'>
}

/** True for pages that ask search engines to skip them, and for the page for unknown paths. */
export function isUnlisted({ page: { meta }, path, settings }: Listable): boolean {
  return notFoundKey(path, settings) !== null || /\b(noindex|none)\b/i.test(meta.robots ?? '')
}

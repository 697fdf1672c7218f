import type { JsonObject } from '../domain/json.ts'
import type { NavItem } from './conversion.ts'

/** The most that `docs_nav` of a content folder holds. */
const MAX_ENTRIES = 2000
const MAX_DEPTH = 8
const MAX_TITLE_LENGTH = 200

/** A docs page of the new site. */
export interface NavTarget {
  readonly title: string
  /** The path of its file without an extension, which is its address in `docs_nav`. */
  readonly address: string
}

/** `docs_nav` of a sidebar. Entries of pages that are not in the site, and groups without pages, are dropped. */
export function docsNavOf(
  items: readonly NavItem[],
  pageAt: (route: string) => NavTarget | null,
): readonly JsonObject[] {
  const named = new Set<string>()
  let count = 0
  return entriesOf(items, 1)

  function entriesOf(given: readonly NavItem[], depth: number): readonly JsonObject[] {
    return depth > MAX_DEPTH ? [] : given.flatMap((item) => entryOf(item, depth))
  }

  function entryOf({ title, route, children }: NavItem, depth: number): readonly JsonObject[] {
    const page = route === null ? null : pageAt(route)
    const isNew = page !== null && !named.has(page.address)
    if (isNew) named.add(page.address)
    const inner = entriesOf(children, depth + 1)
    const shown = (title ?? page?.title ?? '').replace(/\s+/g, ' ').trim()
    if (shown === '' || (!isNew && inner.length === 0) || ++count > MAX_ENTRIES) return inner
    return [
      {
        title: [...shown].slice(0, MAX_TITLE_LENGTH).join(''),
        ...(isNew && { slug: page.address }),
        ...(inner.length > 0 && { children: inner }),
      },
    ]
  }
}

import type { JsonObject } from '../../domain/json.ts'
import type { NavItem } from '../conversion.ts'
import { firstCharacters } from '../page/field-text.ts'

/** The most that `docs_nav` of a content folder holds. */
const MAX_ENTRIES = 2000
const MAX_DEPTH = 8
const MAX_TITLE_LENGTH = 200

/** The levels of a sidebar that are read. `docs_nav` has fewer, and what is deeper is reported. */
export const MAX_SIDEBAR_DEPTH = 40

/** A docs page of the new site. */
export interface NavTarget {
  readonly title: string
  /** The path of its file without an extension, which is its address in `docs_nav`. */
  readonly address: string
}

/** `docs_nav`, and the number of pages of the sidebar that it cannot hold. */
export interface DocsNav {
  readonly entries: readonly JsonObject[]
  readonly leftOut: number
  /** The number of titled entries that lead to no page of the site, such as links to other sites. */
  readonly others: number
}

/** `docs_nav` of a sidebar. Entries that lead to no docs page, and groups without pages, are dropped. */
export function docsNavOf(
  items: readonly NavItem[],
  pageAt: (route: string) => NavTarget | null,
  hasPage: (route: string) => boolean,
): DocsNav {
  const named = new Set<string>()
  let count = 0
  let leftOut = 0
  let others = 0
  const entries = entriesOf(items, 1)
  return { entries, leftOut, others }

  function entriesOf(given: readonly NavItem[], depth: number): readonly JsonObject[] {
    if (depth <= MAX_DEPTH) return given.flatMap((item) => entryOf(item, depth))
    leftOut += pagesIn(given)
    return []
  }

  function pagesIn(given: readonly NavItem[]): number {
    return given.reduce(
      (sum, { route, children }) =>
        sum + (route !== null && pageAt(route) !== null ? 1 : 0) + pagesIn(children),
      0,
    )
  }

  function entryOf({ title, route, children }: NavItem, depth: number): readonly JsonObject[] {
    const page = route === null ? null : pageAt(route)
    const isNew = page !== null && !named.has(page.address)
    if (isNew) named.add(page.address)
    const leadsNowhere = route === null || !hasPage(route)
    if (leadsNowhere && title !== null && children.length === 0) others++
    const inner = entriesOf(children, depth + 1)
    const shown = (title ?? page?.title ?? '').replace(/\s+/g, ' ').trim()
    if (shown === '' || (!isNew && inner.length === 0)) return inner
    if (++count > MAX_ENTRIES) {
      leftOut++
      return inner
    }
    return [
      {
        title: firstCharacters(shown, MAX_TITLE_LENGTH),
        ...(isNew && { slug: page.address }),
        ...(inner.length > 0 && { children: inner }),
      },
    ]
  }
}

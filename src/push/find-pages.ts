import type { SitePage } from '../content-folder/site.ts'
import { isSamePath } from '../domain/redirect-path.ts'
import type { Addressed } from '../domain/route.ts'
import type { FieldDigests } from '../domain/source.ts'
import { resolvedFields } from '../page-text/derive.ts'
import { hasSameFields } from '../page-text/field-digests.ts'
import type { ListedPage } from './list-pages.ts'
import { digestsOf } from './page-body.ts'
import type { PushedPage, PushedState } from './pushed-state.ts'

/** A page on the server that belongs to a file. */
export interface FoundPage {
  readonly id: string
  readonly type: string
  readonly url: string
  /** The record of the last push by the folder. Null for a page of others. */
  readonly pushed: PushedPage | null
}

/**
 * The page on the server of each file: the page pushed from it. A new file has the page at its address, or the page of
 * a removed file that was probably renamed: the new file names its path in `redirect_from`, or had the same content.
 */
export function findPages(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  state: PushedState,
): ReadonlyMap<string, FoundPage> {
  const found = new Map<string, FoundPage>()
  const byAddress = new Map(listed.map((item) => [addressOf(item), item]))
  const byId = new Map([...state.pages.values()].map((pushed) => [pushed.id, pushed]))
  const sources = new Set(pages.map(({ source }) => source))
  for (const { source } of pages) {
    const pushed = state.pages.get(source)
    if (pushed !== undefined) found.set(source, { ...pushed, pushed })
  }
  const taken = new Set([...found.values()].map(({ id }) => id))
  const take = (source: string, page: FoundPage) => {
    found.set(source, page)
    taken.add(page.id)
  }
  const remaining = pages.filter(({ source }) => !found.has(source))
  for (const page of remaining) {
    const item = byAddress.get(addressOf(page))
    if (item !== undefined && !taken.has(item.id))
      take(page.source, { ...item, pushed: byId.get(item.id) ?? null })
  }
  const removed = () =>
    [...state.pages].filter(([file, { id }]) => !sources.has(file) && !taken.has(id)).map(([, page]) => page)
  const moved = (matches: (page: SitePage, pushed: PushedPage) => boolean) => {
    for (const page of remaining) {
      if (found.has(page.source)) continue
      const pushed = removed().find((candidate) => candidate.type === page.type && matches(page, candidate))
      if (pushed !== undefined) take(page.source, { ...pushed, pushed })
    }
  }
  moved((page, { url }) => redirectsOf(page).some((path) => isSamePath(path, url)))
  moved((page, { fields }) => hasSameFields(withoutAddress(digestsOf(page)), withoutAddress({ fields })))
  return found
}

function redirectsOf(page: SitePage): readonly string[] {
  return resolvedFields({ ...page, firstPublishedAt: null }).redirectFrom
}

/** The fields that a file changes when it moves. */
function withoutAddress({ fields }: Pick<FieldDigests, 'fields'>): Pick<FieldDigests, 'fields'> {
  const { slug: _, subroute: __, parent_page: ___, ...others } = fields
  return { fields: others }
}

/** Reports whether the list of all pages is needed to match the pages of some files. */
export function needsListing(pages: readonly SitePage[], state: PushedState): boolean {
  return pages.some(({ source }) => !state.pages.has(source))
}

export function addressOf({ subroute, slug }: Addressed): string {
  return `${subroute}/${slug}`
}

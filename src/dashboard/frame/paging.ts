/** Maximum number of rows of a list. */
export const LIST_SIZE = 50

/** Pages that a list can be turned to; an offset beyond them is a typed one. */
const MAX_PAGE = 100_000

export interface Pager {
  readonly first: number
  readonly last: number
  readonly total: number
  readonly previous: string | null
  readonly next: string | null
}

export function sliceOf(query: URLSearchParams): { readonly limit: number; readonly offset: number } {
  return { limit: LIST_SIZE, offset: (pageOf(query) - 1) * LIST_SIZE }
}

/** @param path of the list. Only the page in its query changes. */
export function pagerOf(path: string, query: URLSearchParams, shown: number, total: number): Pager {
  const page = pageOf(query)
  const offset = (page - 1) * LIST_SIZE
  return {
    first: shown === 0 ? 0 : offset + 1,
    last: offset + shown,
    total,
    previous: page > 1 ? hrefOf(page - 1) : null,
    next: offset + shown < total ? hrefOf(page + 1) : null,
  }

  function hrefOf(target: number): string {
    const next = new URLSearchParams(query)
    next.delete('done')
    if (target === 1) next.delete('page')
    else next.set('page', String(target))
    return next.size === 0 ? path : `${path}?${next}`
  }
}

function pageOf(query: URLSearchParams): number {
  const given = query.get('page') ?? ''
  return /^\d{1,6}$/.test(given) ? Math.min(Math.max(Number(given), 1), MAX_PAGE) : 1
}

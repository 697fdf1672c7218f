import { ApiError } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { ListedPage } from './list-pages.ts'

/**
 * The address of the site that these live pages belong to, with a slash at its end; null without a live page, and for
 * a project that takes no changes, such as an archived one.
 */
export async function siteAddress(api: Client, live: readonly ListedPage[]): Promise<string | null> {
  const [page] = live
  if (page === undefined) return null
  // Lists have paths; the plan of a publish, which changes nothing, has the whole URL.
  const planned = await api.pages
    .publish(page.id, undefined, { query: { dry_run: true } })
    .catch(nullIfForbidden)
  if (planned === null) return null
  const { url } = planned
  const path = page.url === '/' && !url.endsWith('/') ? '' : page.url
  return `${url.slice(0, url.length - path.length)}/`
}

function nullIfForbidden(error: unknown): null {
  if (error instanceof ApiError && error.name === 'forbidden') return null
  throw error
}

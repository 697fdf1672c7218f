import { REDIRECT_PATH_RULE, readRedirectPath, writtenPaths } from '../domain/redirect-path.ts'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import type { PageFile } from './page-file.ts'
import { NO_PLACE, type SiteAsset, type SiteFault } from './site.ts'

/** Paths that are to lead to a page, at which something else of the site lies or which lead to another. */
export function redirectFaults(
  files: readonly PageFile[],
  assets: readonly SiteAsset[],
  routes: SiteRoutes,
): readonly SiteFault[] {
  const leading = files.filter(({ page }) => page.config['redirect_from'] !== undefined)
  if (leading.length === 0) return []
  const takenBy = new Map<string, string>([
    ...assets.map(({ source, path }) => [`/${path}`, `is the path of ${source} already.`] as const),
    ...files.map(({ page }) => [publicPath(page, routes), `is the path of ${page.source} already.`] as const),
  ])
  return leading.flatMap(({ page, redirectPlaces }) => {
    const own = publicPath(page, routes)
    return writtenPaths(page.config['redirect_from']).flatMap((written, index) => {
      const path = readRedirectPath(written)
      const fault = path === null ? REDIRECT_PATH_RULE : path === own ? undefined : takenBy.get(path)
      if (path !== null && path !== own) takenBy.set(path, `leads to ${page.source} already.`)
      if (fault === undefined) return []
      const place = redirectPlaces[index] ?? NO_PLACE
      const message = path === null ? fault : `${path} ${fault}`
      return [{ file: page.source, ...place, field: `redirect_from[${index}]`, message }]
    })
  })
}

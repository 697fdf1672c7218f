import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isSamePath, REDIRECT_PATH_RULE, readRedirectPath, toPathList } from '../domain/redirect-path.ts'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { foldedAddress } from '../domain/slug.ts'
import type { PageFile } from './page-file.ts'
import type { SiteAsset } from './site.ts'

/** Errors for paths of `redirect_from` that are invalid, or that a page, an asset or another redirect already has. */
export function redirectErrors(
  files: readonly PageFile[],
  assets: readonly SiteAsset[],
  routes: SiteRoutes,
): readonly Diagnostic[] {
  const leading = files.filter(({ page }) => page.config['redirect_from'] !== undefined)
  if (leading.length === 0) return []
  const takenBy = new Map<string, string>([
    ...assets.map(
      ({ source, path }) => [foldedAddress(`/${path}`), `is already the path of ${source}.`] as const,
    ),
    ...files.map(({ page }) => [publicPath(page, routes), `is already the path of ${page.source}.`] as const),
  ])
  return leading.flatMap(({ page, redirectPlaces }) => {
    const own = publicPath(page, routes)
    return toPathList(page.config['redirect_from']).flatMap((written, index) => {
      const path = readRedirectPath(written)
      const isOwn = path !== null && isSamePath(path, own)
      const fault = path === null ? REDIRECT_PATH_RULE : isOwn ? undefined : takenBy.get(foldedAddress(path))
      if (path !== null && !isOwn) takenBy.set(foldedAddress(path), `already redirects to ${page.source}.`)
      if (fault === undefined) return []
      const field = `redirect_from[${index}]`
      const message = path === null ? `${field} ${fault}` : `${field}: ${path} ${fault}`
      const code = path === null ? 'QN-BAD-VALUE' : 'QN-REDIRECT-CONFLICT'
      return [diagnostic(code, page.source, message, { ...redirectPlaces[index], field })]
    })
  })
}

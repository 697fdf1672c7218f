import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject } from '../domain/json.ts'
import {
  isSamePath,
  MAX_REDIRECT_PATHS,
  REDIRECT_PATH_RULE,
  readRedirectPath,
  toPathList,
} from '../domain/redirect-path.ts'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { foldedAddress } from '../domain/slug.ts'
import type { PageFile } from './page-file.ts'
import type { SiteAsset } from './site.ts'
import { isParseIssue, readYaml } from './yaml-source.ts'

/** Old paths of a site with the paths that they lead to now, one a line: `/old: /new`. */
export const REDIRECTS_FILE = 'redirects.yaml'

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

/**
 * Adds the redirects of `redirects.yaml` to the pages that they lead to, as if those named them in `redirect_from`. A path
 * that leads to another old path leads to the page behind that.
 *
 * @param text null for a file that is not UTF-8.
 */
export function withRedirectsFile(
  files: readonly PageFile[],
  text: string | null,
  routes: SiteRoutes,
): { readonly files: readonly PageFile[]; readonly errors: readonly Diagnostic[] } {
  const source = text === null ? null : readYaml(text, 1)
  if (source === null) return refused('QN-BAD-ENCODING', 'The file is not UTF-8 text.')
  if (isParseIssue(source)) return refused('QN-BAD-YAML', source.message, source)
  const written = source.value ?? {}
  if (!isJsonObject(written))
    return refused('QN-BAD-YAML', 'The file must hold paths, one a line: /old: /new.')
  const pages = new Map(files.map((file) => [publicPath(file.page, routes), file]))
  const added = new Map<PageFile, string[]>()
  const errors: Diagnostic[] = []
  for (const from of Object.keys(written)) {
    const target = pageBehind(from)
    if (typeof target === 'string') {
      const field = from
      errors.push(
        diagnostic('QN-REDIRECT-CONFLICT', REDIRECTS_FILE, target, { ...source.placeOf([from]), field }),
      )
    } else added.set(target, [...(added.get(target) ?? []), from])
  }
  for (const [{ page }, paths] of added) {
    const total = paths.length + toPathList(page.config['redirect_from']).length
    if (total > MAX_REDIRECT_PATHS)
      errors.push(
        diagnostic(
          'QN-REDIRECT-CONFLICT',
          REDIRECTS_FILE,
          `${total} paths lead to ${page.source}, and a page has at most ${MAX_REDIRECT_PATHS}.`,
          source.placeOf([paths.at(-1) ?? '']),
        ),
      )
  }
  return { files: files.map(withAdded), errors }

  function refused(code: 'QN-BAD-ENCODING' | 'QN-BAD-YAML', message: string, place = {}) {
    return { files, errors: [diagnostic(code, REDIRECTS_FILE, message, place)] }
  }

  /** The page that a path leads to in the end, or why there is none. */
  function pageBehind(from: string): PageFile | string {
    const seen = new Set([from])
    for (let at = from; ; ) {
      const to = isJsonObject(written) ? written[at] : undefined
      if (typeof to !== 'string') return `${at} must lead to a path of the site, such as ${at}: /new.`
      const path = readRedirectPath(to) ?? (to === '/' ? '/' : null)
      const page = path === null ? undefined : pages.get(path)
      if (page !== undefined) return page
      if (!Object.hasOwn(written as object, to))
        return `${from} leads to ${to}, which is no page of the site.`
      if (seen.has(to)) return `${from} leads back to itself, by ${[...seen].join(', ')}.`
      seen.add(to)
      at = to
    }
  }

  function withAdded(file: PageFile): PageFile {
    const own = added.get(file)
    if (own === undefined) return file
    const { page } = file
    const paths = [...toPathList(page.config['redirect_from']), ...own]
    return { ...file, page: { ...page, config: { ...page.config, redirect_from: paths } } }
  }
}

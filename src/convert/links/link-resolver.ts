import { posix } from 'node:path'
import { decoded } from '../../domain/author-url.ts'
import type { PageTarget, SourceSite } from '../conversion.ts'

/** The path of the page or file in the new site that a link of a source page leads to, or null. */
export type ResolveLink = (target: string, from: string, page: PageTarget) => string | null

const PAGE_ENDING = /\.(mdx?|markdown|mdoc|html)$/

/**
 * Resolves links of source pages to paths of the new site.
 *
 * @param served the path of each asset in the new site, by its path in the source folder.
 * @param base the path of the source site's URL.
 */
export function createResolver(
  { pages, assets, contentRoot, aliases, fallbackFolders }: SourceSite,
  served: ReadonlyMap<string, string>,
  base: string,
): ResolveLink {
  const routes = routesByName(pages, contentRoot)
  const addresses = new Map(
    [...pages.values()].map(({ route, originalPath }) => [addressOf(originalPath ?? `/${route}`), route]),
  )
  const files = new Map<string, string>()
  for (const [path, at] of assets) {
    const file = served.get(path)
    if (file !== undefined) files.set(path, file).set(at, file)
  }

  return function resolve(target, from, { route, originalPath }) {
    if (/^([a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(target) || target === '') return null
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? []
    const wanted = decoded(path)
    const isFile = PAGE_ENDING.test(wanted) && !wanted.endsWith('.html')
    const nearAddress = isFile || originalPath === undefined ? null : fromAddress(originalPath, wanted)
    const alias = [...(aliases ?? [])].find(([name]) => wanted.startsWith(name))
    const candidates =
      alias !== undefined
        ? [posix.join(alias[1], wanted.slice(alias[0].length))]
        : wanted.startsWith('/')
          ? [withoutBase(wanted, base)]
          : [
              ...(nearAddress === null || !addresses.has(addressOf(nearAddress)) ? [] : [nearAddress]),
              posix.join(posix.dirname(from), wanted),
              posix.join(route, wanted),
              posix.join(posix.dirname(route), wanted),
              ...(nearAddress === null ? [] : [nearAddress]),
            ]
    for (const candidate of candidates) {
      const name = candidate.replace(/^\/+|\/+$/g, '').replace(/^\.$/, '')
      const own =
        candidate === nearAddress || candidate.startsWith('/') ? addresses.get(addressOf(candidate)) : null
      const page = own ?? routes.get(name) ?? routes.get(name.replace(PAGE_ENDING, '')) ?? null
      if (page !== null) return `/${page}${rest}`
      const file = files.get(name)
      if (file !== undefined) return `/${file}${rest}`
    }
    return untranslated(candidates, rest)
  }

  /** The page in the main language that the source site shows in place of a missing translation. */
  function untranslated(candidates: readonly string[], rest: string): string | null {
    for (const candidate of candidates) {
      const [folder = '', ...name] = candidate.replace(/^\/+|\/+$/g, '').split('/')
      const page = fallbackFolders?.includes(folder) ? routes.get(name.join('/')) : undefined
      if (page !== undefined) return `/${page}${rest}`
    }
    return null
  }
}

/** Resolves a link as a browser on the page at `address` does. */
function fromAddress(address: string, link: string): string {
  return posix.join(address.endsWith('/') ? address : posix.dirname(address), link)
}

/** An address without its ending and without leading and trailing slashes. */
function addressOf(path: string): string {
  return path.replace(/(^|\/)index\.html$/, '$1').replace(/^\/+|(\/+|\.html)$/g, '')
}

/** The route of each page, by every name that a link may have for it. */
function routesByName(pages: SourceSite['pages'], contentRoot: string): ReadonlyMap<string, string> {
  const routes = new Map<string, string>()
  for (const [path, { route }] of pages) {
    for (const name of namesOf(path)) routes.set(name, route)
  }
  for (const { route } of pages.values()) routes.set(route, route)
  for (const { route, originalPath = '' } of pages.values()) {
    const name = addressOf(originalPath)
    if (name !== '' && !routes.has(name)) routes.set(name, route)
  }
  for (const [path, { route }] of pages) {
    if (!path.startsWith(contentRoot)) continue
    for (const name of namesOf(path.slice(contentRoot.length))) if (!routes.has(name)) routes.set(name, route)
  }
  return routes
}

/** The names by which a link may refer to the page of a file: its path, with or without extension, or its folder. */
function namesOf(path: string): readonly string[] {
  const bare = path.replace(PAGE_ENDING, '')
  const folder = /^(?:(.*)\/)?_?(?:index|README)$/.exec(bare)
  return folder === null ? [path, bare] : [path, bare, folder[1] ?? '']
}

function withoutBase(path: string, base: string): string {
  return base !== '/' && `${path}/`.startsWith(`${base}/`) ? path.slice(base.length) : path
}

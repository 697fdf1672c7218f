import { posix } from 'node:path'
import { decoded } from '../domain/author-url.ts'
import type { PageTarget, SourceSite } from './conversion.ts'

/**
 * Resolves links of source pages to paths of the new site.
 *
 * @param served the path of each asset in the new site, by its path in the source folder.
 * @param base the path of the source site's URL.
 */
export function createResolver(
  { pages, assets, contentRoot }: SourceSite,
  served: ReadonlyMap<string, string>,
  base: string,
) {
  const routes = new Map<string, string>()
  for (const [path, { route }] of pages) {
    for (const name of namesOf(path)) routes.set(name, route)
  }
  for (const { route } of pages.values()) routes.set(route, route)
  for (const { route, originalPath = '' } of pages.values()) {
    const name = originalPath.replace(/^\/|(\/|\.html)$/g, '')
    if (name !== '' && !routes.has(name)) routes.set(name, route)
  }
  for (const [path, { route }] of pages) {
    if (!path.startsWith(contentRoot)) continue
    for (const name of namesOf(path.slice(contentRoot.length))) if (!routes.has(name)) routes.set(name, route)
  }
  const files = new Map<string, string>()
  for (const [path, at] of assets) {
    const file = served.get(path)
    if (file !== undefined) files.set(path, file).set(at, file)
  }

  /** Null when the link leads to no page and no file of the site. */
  return function resolve(target: string, from: string, { route }: PageTarget): string | null {
    if (/^([a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(target) || target === '') return null
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? []
    const wanted = decoded(path)
    const candidates = wanted.startsWith('/')
      ? [withoutBase(wanted, base)]
      : [
          posix.join(posix.dirname(from), wanted),
          posix.join(route, wanted),
          posix.join(posix.dirname(route), wanted),
        ]
    for (const candidate of candidates) {
      const name = candidate.replace(/^\/+|\/+$/g, '').replace(/^\.$/, '')
      const page = routes.get(name) ?? routes.get(name.replace(/\.(md|markdown|html)$/, '')) ?? null
      if (page !== null) return `/${page}${rest}`
      const file = files.get(name)
      if (file !== undefined) return `/${file}${rest}`
    }
    return null
  }
}

/** The names by which a link may refer to the page of a file: its path, with or without extension, or its folder. */
function namesOf(path: string): readonly string[] {
  const bare = path.replace(/\.(md|markdown|html)$/, '')
  const folder = /^(?:(.*)\/)?_?(?:index|README)$/.exec(bare)
  return folder === null ? [path, bare] : [path, bare, folder[1] ?? '']
}

function withoutBase(path: string, base: string): string {
  return base !== '/' && `${path}/`.startsWith(`${base}/`) ? path.slice(base.length) : path
}

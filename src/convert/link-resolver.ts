import { posix } from 'node:path'
import { decoded } from '../domain/author-url.ts'
import type { PageTarget, SourceSite } from './conversion.ts'

/**
 * Finds what a link of a former page leads to, as a path of the new site.
 *
 * @param served where each asset is served, by its path in the former folder.
 * @param base the path that the former site was read at.
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

  /** Null for what is no page and no file of the site. */
  return function resolve(target: string, from: string, { route }: PageTarget): string | null {
    if (/^([a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(target) || target === '') return null
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? []
    const wanted = decoded(path)
    const places = wanted.startsWith('/')
      ? [withoutBase(wanted, base)]
      : [
          posix.join(posix.dirname(from), wanted),
          posix.join(route, wanted),
          posix.join(posix.dirname(route), wanted),
        ]
    for (const place of places) {
      const name = place.replace(/^\/+|\/+$/g, '').replace(/^\.$/, '')
      const page = routes.get(name) ?? routes.get(name.replace(/\.(md|markdown|html)$/, '')) ?? null
      if (page !== null) return `/${page}${rest}`
      const file = files.get(name)
      if (file !== undefined) return `/${file}${rest}`
    }
    return null
  }
}

/** What a link may call the page of a file: by its path, with or without an ending, and by its folder. */
function namesOf(path: string): readonly string[] {
  const bare = path.replace(/\.(md|markdown|html)$/, '')
  const folder = /^(?:(.*)\/)?_?(?:index|README)$/.exec(bare)
  return folder === null ? [path, bare] : [path, bare, folder[1] ?? '']
}

function withoutBase(path: string, base: string): string {
  return base !== '/' && path.startsWith(base) ? path.slice(base.length) : path
}

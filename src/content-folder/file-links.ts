import { decoded } from '../domain/author-url.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { mapProse } from '../page-text/map-prose.ts'
import type { SiteAsset, SitePage } from './site.ts'

/** Maps the path of each file in the content folder to its path on the site. */
export type Addresses = Pick<ReadonlyMap<string, string>, 'get'>

export function addressesOf(
  pages: readonly Pick<SitePage, 'source' | 'subroute' | 'slug'>[],
  assets: readonly SiteAsset[],
  routes: SiteRoutes,
): ReadonlyMap<string, string> {
  return new Map([
    ...assets.map(({ source, path }) => [source, `/${path}`] as const),
    ...pages.map((page) => [page.source, publicPath(page, routes)] as const),
  ])
}

/**
 * Resolves links to files of the content folder, which GitHub and editors follow, to paths on the site: in
 * `docs/a.md`, `../blog/one.md#part` becomes `/blog/one#part`. Resolves links in Markdown outside of code and
 * in props of sections, and nothing else.
 */
export function withFileLinks(page: SitePage, addresses: Addresses): SitePage {
  const { source, markdown, config } = page
  const { sections } = config
  return {
    ...page,
    markdown: linksResolved(markdown, source, addresses),
    config:
      sections === undefined ? config : { ...config, sections: resolvedIn(sections, source, addresses) },
  }
}

/** A cheap test that every link to a file of the folder passes: its extension, its folder, or an escape. */
const OF_A_FILE = /\.(?:md|yaml|json)|static\/|%/

/** Resolves the file links of Markdown. Line breaks stay where they are. */
export function linksResolved(markdown: string, source: string, addresses: Addresses): string {
  if (!OF_A_FILE.test(markdown)) return markdown
  return mapProse(markdown, (text) => mapLinks(text, (target) => resolved(target, source, addresses)))
}

function resolvedIn(value: JsonValue, source: string, addresses: Addresses): JsonValue {
  if (typeof value === 'string') {
    const whole = resolved(value, source, addresses)
    return whole === value ? linksResolved(value, source, addresses) : whole
  }
  if (Array.isArray(value)) return value.map((inner) => resolvedIn(inner, source, addresses))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, resolvedIn(inner, source, addresses)])
  return Object.fromEntries(entries) as JsonObject
}

/** The path on the site of the file that the target names, with its query and fragment; otherwise the target itself. */
function resolved(target: string, source: string, addresses: Addresses): string {
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(target)) return target
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? []
  const folder = source.includes('/') ? source.slice(0, source.lastIndexOf('/')) : ''
  const file = joined(path.startsWith('/') ? '' : folder, decoded(path))
  const address = addresses.get(file)
  return address === undefined ? target : `${address}${rest}`
}

/** Joins paths. `..` never leaves the root, as in URLs. */
function joined(folder: string, path: string): string {
  const segments: string[] = []
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

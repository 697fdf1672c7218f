import { decoded } from '../domain/author-url.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { mapProse } from '../page-text/map-prose.ts'
import type { SiteAsset, SitePage } from './site.ts'

/** Where each file of a content folder is read, as a path from the root of the site, by its path in the folder. */
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
 * The page with each link to a file of its folder, as GitHub and editors follow them, leading to where
 * that file is read: in `docs/a.md`, `../blog/one.md#part` becomes `/blog/one#part`. Looks at Markdown
 * outside of code and at what sections say; all else stays as it was written.
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

/** The name of every file that has an address ends so, or begins so from the root of the folder; or it is encoded. */
const OF_A_FILE = /\.(?:md|yaml|json)|static\/|%/

/** Markdown with its links to files resolved, as long as before in lines. */
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

/** The address of the file that the target names, with its query and fragment; else the target itself. */
function resolved(target: string, source: string, addresses: Addresses): string {
  if (/^([a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(target)) return target
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? []
  const folder = source.includes('/') ? source.slice(0, source.lastIndexOf('/')) : ''
  const file = joined(path.startsWith('/') ? '' : folder, decoded(path))
  const address = addresses.get(file)
  return address === undefined ? target : `${address}${rest}`
}

/** Never above the folder, as with addresses. */
function joined(folder: string, path: string): string {
  const segments: string[] = []
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

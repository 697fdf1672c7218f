import { type Addresses, hintOf, linksResolved, withFileLinks } from '../content-folder/file-links.ts'
import { withSettingLinks } from '../content-folder/setting-links.ts'
import type { Site, SiteAsset, SitePage } from '../content-folder/site.ts'
import type { JsonValue } from '../domain/json.ts'
import { MEDIA_PATH, mediaAlias, readMediaName } from '../domain/media-name.ts'
import { normalForm } from '../domain/normal-form.ts'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import type { Settings } from '../domain/settings.ts'
import { SETTINGS_FIELDS, type SettingKey } from '../fields/settings-fields.ts'

/** A file of the folder that becomes an asset. */
export interface NamedFile {
  /** The file, relative to the folder. */
  readonly source: string
  /**
   * The name of the asset: the path of the file on a built site. Files in `media/`, as in an export, are named without
   * it, so that their address is `/media/{name}` on both, unless another file has the name.
   */
  readonly name: string
}

/** A site whose pages and settings name files as assets of a service, `/media/{name}`. */
export interface MediaSite {
  readonly site: Site
  /** The files that they name, by source. */
  readonly files: readonly NamedFile[]
}

/**
 * Names the files of a folder, which was read, as assets. A file whose name no asset can have stays as it is named.
 *
 * @param exported names that files have already, by their paths in the folder.
 */
export function withMediaNames(site: Site, exported: ReadonlyMap<string, string> = new Map()): MediaSite {
  const { addresses, named } = mediaAddresses(site.assets, exported)
  const pages = site.pages.map((page) => withNamesIn(page, addresses, site.settings.siteRoutes ?? {}))
  const settings = settingsWithNames(site.settings, addresses)
  return { site: { ...site, pages, settings }, files: named() }
}

/** Does the same with the text of a page, whose links lead to paths on the site. */
export function textWithMediaNames(
  text: string,
  page: SitePage,
  { assets, settings }: Pick<Site, 'assets' | 'settings'>,
): string {
  return linksResolved(text, pageOnSite(page, settings.siteRoutes ?? {}), mediaAddresses(assets).addresses)
}

/** The addresses of assets by their paths on a built site, and the files that were looked up. */
function mediaAddresses(
  assets: readonly SiteAsset[],
  exported: ReadonlyMap<string, string> = new Map(),
): {
  readonly addresses: Addresses
  readonly named: () => readonly NamedFile[]
} {
  const files = namedFiles(assets, exported)
  const found = new Set<NamedFile>()
  const get = (path: string) => {
    const file = files.get(path)
    if (file === undefined) return undefined
    found.add(file)
    return mediaAlias(file.name)
  }
  return {
    addresses: {
      get,
      isAttachment: (path) => files.has(path),
      areFiles: true,
      hint: hintOf([...files.keys()]),
    },
    named: () => [...found].sort((a, b) => (a.source < b.source ? -1 : 1)),
  }
}

/** The files of assets, by their path on a built site. Each has a name of its own. */
function namedFiles(
  assets: readonly SiteAsset[],
  exported: ReadonlyMap<string, string>,
): ReadonlyMap<string, NamedFile> {
  const paths = new Set(assets.map(({ path }) => path))
  const taken = new Set(exported.values())
  const entries = assets.flatMap(({ path, source }): [string, NamedFile][] => {
    const short = withoutMediaFolder(path)
    const own = short === null || paths.has(short) ? path : short
    const name = exported.get(source) ?? readMediaName(taken.has(own) ? `folder/${own}` : own)
    return name === null ? [] : [[normalForm(path), { source, name }]]
  })
  return new Map(entries)
}

/** The path in `media/` of a file there; null for other files. */
function withoutMediaFolder(path: string): string | null {
  return `/${path}`.startsWith(MEDIA_PATH) ? path.slice(MEDIA_PATH.length - 1) : null
}

function withNamesIn(page: SitePage, addresses: Addresses, routes: SiteRoutes): SitePage {
  const { markdown, config, ogImageUrl, ownFields } = withFileLinks(
    { ...page, source: pageOnSite(page, routes) },
    addresses,
  )
  return { ...page, markdown, config, ogImageUrl, ownFields }
}

/** A file in place of the page on the site: the relative links of the page start from it. */
function pageOnSite(page: SitePage, routes: SiteRoutes): string {
  return `${publicPath(page, routes).slice(1)}/-`
}

/** No relative path starts at settings: they are of all pages. The star is in no path of a file. */
const SETTINGS_SOURCE = '*/-'

function settingsWithNames(settings: Partial<Settings>, addresses: Addresses): Partial<Settings> {
  const entries = Object.entries(settings).map(([key, written]) => {
    const { holds } = SETTINGS_FIELDS[key as SettingKey]
    return [key, withSettingLinks(written as JsonValue, holds, SETTINGS_SOURCE, addresses)]
  })
  return Object.fromEntries(entries)
}

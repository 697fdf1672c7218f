import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { bodyOf } from '../page-text/front-matter.ts'
import { isAssetFile, readAsset } from './asset-file.ts'
import { docsNavFaults } from './docs-nav.ts'
import { type Addresses, addressesOf, withFileLinks } from './file-links.ts'
import { textUnlessGone, withPlainLineEnds } from './file-text.ts'
import { type FileList, listFiles } from './list-files.ts'
import { outlineOf, type PageOutline } from './outline.ts'
import { type FolderTypes, isPageFile, type PageFile, type PageReading, readPage } from './page-file.ts'
import { type PlacedFile, withParents } from './parents.ts'
import { redirectFaults } from './redirects.ts'
import { NO_PLACE, type Site, type SiteFault, type SitePage } from './site.ts'
import { readSiteFile, SITE_FILE } from './site-file.ts'

/**
 * Reads a content folder: `site.yaml` with its name and settings, pages as Markdown, YAML or JSON
 * files, and whatever lies in `static/` as it is. The page `docs/reference/content-folders` of the
 * demo site describes the format.
 *
 * Nothing outside the folder is read. Whatever is wrong in it is among the faults, sorted by file
 * and line, and missing from the site. What files say of each other is looked at once each of them
 * is right by itself.
 *
 * @param passedOver a folder beneath it that is no content: the one it is built into, mostly.
 * @param keep where the Markdown of pages is to lie, of which there may be more than fits into memory.
 * @throws what Node raised if the folder, or a file in it, cannot be read at all.
 */
export async function readSite(
  folder: string,
  passedOver: string | null = null,
  keep: KeepPage = (page) => page,
): Promise<SiteReading> {
  return siteOf(folder, listFiles(folder, passedOver), {
    textOf: (path) => textUnlessGone(join(folder, path)),
    understood(path, text, types) {
      const { file, faults } = readPage(path, text, types)
      return { file: file === null ? null : { ...file, page: keep(file.page) }, faults }
    },
    placed: (_, __, place) => keep(place()),
  })
}

/** @returns the same page. */
export type KeepPage = <Page extends Pick<SitePage, 'markdown'>>(page: Page) => Page

export interface SiteReading {
  readonly site: Site
  readonly faults: readonly SiteFault[]
  /** Of each of its pages. */
  readonly outlines: readonly PageOutline[]
}

/** What `readSite` would find in a folder of these texts, by their paths, and nothing else. */
export function readSiteTexts(texts: ReadonlyMap<string, string>): SiteReading {
  const files = [...texts.keys()].toSorted()
  const textOf = (path: string) => withPlainLineEnds(texts.get(path) ?? '')
  return siteOf(
    null,
    { files, faults: [] },
    { textOf, understood: readPage, placed: (_, __, place) => place() },
  )
}

/** How files become pages: each once, or what was found of it before. */
interface Ways {
  /** Null for bytes that are not UTF-8; undefined for a file that is gone. */
  textOf(path: string): string | null | undefined
  understood(path: string, text: string, types: FolderTypes): PageReading
  /** @param among all that a page in its place depends on besides its file. */
  placed(file: PlacedFile, among: string, place: () => SitePage): SitePage
}

/** A site of these files. @param folder that they are in; null for texts that are in none. */
export function siteOf(
  folder: string | null,
  { files, faults: listFaults }: FileList,
  ways: Ways,
): SiteReading {
  const siteText = files.includes(SITE_FILE) ? ways.textOf(SITE_FILE) : undefined
  const own = readSiteFile(siteText ?? undefined)
  const { settings, name, origin, editBase, types } = own.fields
  const { readings, unread } = readingsOf(files, types, ways)
  const assets = files.filter(isAssetFile).map(readAsset)

  const { distinct, faults: doubles } = withoutDoubles(
    readings.flatMap(({ file }) => file ?? []),
    settings.siteRoutes ?? {},
  )
  const { placed, faults: parentFaults } = withParents(distinct)
  const served = assets.flatMap(({ asset }) => asset ?? [])
  const addresses = addressesOf(
    placed.map(({ file }) => file.page),
    served,
    settings.siteRoutes ?? {},
  )
  const among = JSON.stringify([editBase, ...addresses])
  const pages = placed.map((one) => ways.placed(one, among, () => pageOf(one, addresses, editBase)))
  const site: Site = { name, origin, settings, pages, assets: served }
  const outlines = placed.map(({ file, parent }) => outlineOf(file, parent))

  const isMissing = siteText === undefined && !listFaults.some(({ file }) => file === SITE_FILE)
  if (isMissing && folder !== null)
    return { site, faults: [wholeFault(SITE_FILE, whyNoSite(folder))], outlines }
  const others = files.filter((path) => !isAssetFile(path) && !isPageFile(path) && path !== LICENSE)
  const faults = [
    ...listFaults,
    ...others.map((file) => wholeFault(file, whyNoPage(file))),
    ...[...(siteText === null ? [SITE_FILE] : []), ...unread].map((file) => wholeFault(file, NOT_UTF_8)),
    ...own.faults,
    ...(own.faults.length > 0 ? [] : doubles),
    ...[...(own.knowsTypes ? readings : []), ...assets].flatMap((reading) => reading.faults),
  ]
  const between =
    faults.length > 0
      ? []
      : [
          ...parentFaults,
          ...redirectFaults(distinct, served, settings.siteRoutes ?? {}),
          ...docsNavFaults(site, own.placeOf),
        ]
  return { site, faults: [...faults, ...between].toSorted(byPlace), outlines }
}

/** Of a page at a time: what is read of one may be most of what it takes to hold it. */
function readingsOf(files: readonly string[], types: FolderTypes, { textOf, understood }: Ways) {
  const readings: PageReading[] = []
  const unread: string[] = []
  for (const path of files) {
    if (isAssetFile(path) || !isPageFile(path) || path === SITE_FILE) continue
    const text = textOf(path)
    if (text === null) unread.push(path)
    else if (text !== undefined && !isReadme(path, text)) readings.push(understood(path, text, types))
  }
  return { readings, unread }
}

function pageOf({ file, parent }: PlacedFile, addresses: Addresses, editBase: string | null): SitePage {
  return withEditLink(withFileLinks({ ...file.page, parent }, addresses), editBase)
}

/** A repository's own words on itself; with front matter it is a page like others. */
export function isReadme(path: string, text: string): boolean {
  return path === 'README.md' && bodyOf(text) === text
}

const LICENSE = 'LICENSE'

function wholeFault(file: string, message: string): SiteFault {
  return { file, ...NO_PLACE, field: null, message }
}

function whyNoPage(file: string): string {
  return file.startsWith('themes/') ? `${NOT_A_PAGE} ${NO_THEME}` : NOT_A_PAGE
}

/** Nothing else is to be said of a folder that is none. */
function whyNoSite(folder: string): string {
  const former = FORMER_SITES.find(({ files }) => files.some((file) => existsSync(join(folder, file))))
  const advice =
    former === undefined
      ? ' quoin init makes one to begin with, and quoin convert one of a folder of Markdown.'
      : ` It seems to be a site of ${former.name}: quoin convert makes a content folder of it.`
  return `A content folder needs this file, with the name of the site.${advice}`
}

const FORMER_SITES: readonly { readonly name: string; readonly files: readonly string[] }[] = [
  { name: 'VitePress', files: ['.vitepress', 'docs/.vitepress'] },
  { name: 'Hugo', files: ['hugo.toml', 'hugo.yaml', 'hugo.json', 'config.toml', 'config/_default'] },
  { name: 'Jekyll', files: ['_config.yml', '_config.yaml'] },
  {
    name: 'Eleventy',
    files: ['.eleventy.js', ...['js', 'mjs', 'cjs', 'ts'].map((ending) => `eleventy.config.${ending}`)],
  },
]

const NOT_UTF_8 = 'The file is not UTF-8 text.'
const NOT_A_PAGE = 'A page is a .md, .yaml or .json file. Files to be served as they are belong in static/.'
const NO_THEME = 'A theme of the site’s own is a folder in themes/ that holds a theme.json.'

/** Of several files for one place in the site, the first. */
function withoutDoubles(files: readonly PageFile[], routes: SiteRoutes) {
  const taken = new Map<string, string>()
  const distinct: PageFile[] = []
  const faults: SiteFault[] = []
  for (const file of files) {
    const { source } = file.page
    const path = publicPath(file.page, routes)
    const holder = taken.get(path)
    if (holder === undefined) {
      taken.set(path, source)
      distinct.push(file)
    } else {
      faults.push(wholeFault(source, `${path} is the path of ${holder} already.`))
    }
  }
  return { distinct, faults }
}

/** What a reader can mend leads to its file, unless the page says where else. */
export function withEditLink(page: SitePage, base: string | null): SitePage {
  const isProse = page.type === 'article' || page.type === 'docs'
  if (base === null || !isProse || page.config['edit_url'] !== undefined) return page
  const file = page.source.split('/').map(encodeURIComponent).join('/')
  return { ...page, config: { ...page.config, edit_url: `${base.replace(/\/$/, '')}/${file}` } }
}

function byPlace(a: SiteFault, b: SiteFault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0)
}

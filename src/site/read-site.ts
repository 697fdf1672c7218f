import { constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bodyOf } from '../content/front-matter.ts'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { isAssetFile, readAsset } from './asset-file.ts'
import { docsNavFaults } from './docs-nav.ts'
import { addressesOf, withFileLinks } from './file-links.ts'
import { type FileList, listFiles } from './list-files.ts'
import { outlineOf, type PageOutline } from './outline.ts'
import { isPageFile, type PageFile, type PageReading, readPage } from './page-file.ts'
import { withParents } from './parents.ts'
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
 * @throws what Node raised if the folder, or a file in it, cannot be read at all.
 */
export function readSite(folder: string, passedOver: string | null = null): Promise<SiteReading> {
  return createSiteReader(folder, passedOver).read({ files: new Set(), isListDue: true })
}

export interface SiteReading {
  readonly site: Site
  readonly faults: readonly SiteFault[]
  /** Of each of its pages. */
  readonly outlines: readonly PageOutline[]
}

/** Reads one folder again and again; a file that did not change is read and understood once. */
export interface SiteReader {
  /**
   * The folder as it is now, as `readSite` reads it. One reading at a time.
   */
  read(changed: FolderChanges): Promise<SiteReading>
}

export interface FolderChanges {
  /** Files that may have another content than at the last reading, relative to the folder. */
  readonly files: ReadonlySet<string>
  /** Whether files may have come or gone. */
  readonly isListDue: boolean
}

/** What is remembered of a file. */
interface ReadFile {
  /** Null for bytes that are not UTF-8. */
  readonly text: string | null
  /** As it was understood last, and with which types of folders; null for what is no page. */
  page: { readonly as: string; readonly reading: PageReading } | null
  /** As it stood in the site last, and among which files it did. */
  placed: { readonly of: PageReading; readonly among: string; readonly page: SitePage } | null
}

/** Like `readSite`, to be asked more than once. */
export function createSiteReader(folder: string, passedOver: string | null): SiteReader {
  let known: ReadonlyMap<string, ReadFile> = new Map()
  let listed: FileList | null = null
  let last: SiteReading | null = null

  return {
    async read({ files: changed, isListDue }) {
      if (last !== null && !isListDue && ![...changed].some((path) => known.has(path))) return last
      listed = listed === null || isListDue ? listFiles(folder, passedOver) : listed
      const { files, faults } = listed
      const assets = files.filter(isAssetFile)
      const next = new Map<string, ReadFile>()
      const gone = new Set<string>()
      for (const path of files) {
        if (isAssetFile(path) || !isPageFile(path)) continue
        const before = changed.has(path) ? undefined : known.get(path)
        const text = before?.text ?? unlessGone(() => readText(join(folder, path)))
        if (text === undefined) gone.add(path)
        else next.set(path, before ?? { text, page: null, placed: null })
      }
      known = next
      const others = files.filter(
        (path) => !next.has(path) && !gone.has(path) && !isAssetFile(path) && path !== LICENSE,
      )
      const reading = siteOf(next, assets, [
        ...faults,
        ...others.map((file) => wholeFault(file, whyNoPage(file))),
      ])
      const hasSiteFile = next.has(SITE_FILE) || faults.some(({ file }) => file === SITE_FILE)
      last = hasSiteFile ? reading : { ...reading, faults: [wholeFault(SITE_FILE, whyNoSite(folder))] }
      return last
    },
  }
}

/** What `readSite` would find in a folder of these texts, by their paths, and nothing else. */
export function readSiteTexts(texts: ReadonlyMap<string, string>): SiteReading {
  const read = [...texts].map(
    ([path, text]) => [path, { text: withPlainLineEnds(text), page: null, placed: null }] as const,
  )
  return siteOf(new Map(read.toSorted(([a], [b]) => (a < b ? -1 : 1))), [], [])
}

/** Undefined for a file that was removed after it was listed. */
function unlessGone<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function siteOf(
  read: ReadonlyMap<string, ReadFile>,
  assetFiles: readonly string[],
  listFaults: readonly SiteFault[],
): SiteReading {
  const own = readSiteFile(read.get(SITE_FILE)?.text ?? undefined)
  const pageFiles = [...read].filter(
    ([path, { text }]) => path !== SITE_FILE && text !== null && !isReadme(path, text),
  )
  const textFaults = [...read]
    .filter(([, { text }]) => text === null)
    .map(([path]) => wholeFault(path, NOT_UTF_8))
  const as = JSON.stringify(own.fields.types)
  const readings = pageFiles.map(([path, file]) => {
    if (file.page?.as !== as) file.page = { as, reading: readPage(path, file.text ?? '', own.fields.types) }
    return file.page.reading
  })
  const assets = assetFiles.map(readAsset)

  const { settings, name, origin } = own.fields
  const { distinct, faults: doubles } = withoutDoubles(
    readings.flatMap(({ file }) => file ?? []),
    settings.siteRoutes ?? {},
  )
  const { pages, faults: parentFaults } = withParents(distinct)
  const served = assets.flatMap(({ asset }) => asset ?? [])
  const addresses = addressesOf(pages, served, settings.siteRoutes ?? {})
  const { editBase } = own.fields
  const among = JSON.stringify([editBase, ...addresses])
  const site: Site = {
    name,
    origin,
    settings,
    pages: pages.map(inPlace),
    assets: served,
  }

  const faults = [
    ...[listFaults, textFaults, own.faults, own.faults.length > 0 ? [] : doubles].flat(),
    ...[...(own.knowsTypes ? readings : []), ...assets].flatMap((reading) => reading.faults),
  ]
  const files = new Map(distinct.map((file) => [file.page.source, file]))
  const outlines = pages.flatMap(({ source, parent }) => {
    const file = files.get(source)
    return file === undefined ? [] : [outlineOf(file, parent)]
  })
  const between =
    faults.length > 0
      ? []
      : [
          ...parentFaults,
          ...redirectFaults(distinct, served, settings.siteRoutes ?? {}),
          ...docsNavFaults(site, own.placeOf),
        ]
  return { site, faults: [...faults, ...between].toSorted(byPlace), outlines }

  /** The very same as last time, where nothing of it can have changed. */
  function inPlace(page: SitePage): SitePage {
    const file = read.get(page.source)
    const of = file?.page?.reading
    const last = file?.placed
    if (last != null && last.of === of && last.among === among && isSameParent(last.page, page))
      return last.page
    const placed = withEditLink(withFileLinks(page, addresses), editBase)
    if (file !== undefined && of !== undefined) file.placed = { of, among, page: placed }
    return placed
  }
}

function isSameParent({ parent: one }: SitePage, { parent: other }: SitePage): boolean {
  return one?.slug === other?.slug && one?.subroute === other?.subroute
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

/**
 * Null for bytes that are not UTF-8. A file that was swapped for a symbolic link is refused.
 *
 * At once: to be told of when each of thousands of files is there takes ten times as long as to read it. And by
 * one call of Node, which opens it, reads it as text and closes it: by four, all those files take twice as long
 * until V8 has optimized what is around them.
 */
export function readText(file: string): string | null {
  const text = readFileSync(file, { encoding: 'utf8', flag: NOT_LINKED })
  const whole = text.includes(REPLACEMENT) ? decoded(readFileSync(file, { flag: NOT_LINKED })) : text
  return whole === null ? null : withPlainLineEnds(whole.startsWith(BYTE_ORDER_MARK) ? whole.slice(1) : whole)
}

// Node takes the system's numbers as well, and tells only of their names.
const NOT_LINKED = (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string
/** What stands for bytes that are not UTF-8, or was written. */
const REPLACEMENT = '\uFFFD'
const BYTE_ORDER_MARK = '\uFEFF'
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decoded(bytes: Uint8Array): string | null {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return null
  }
}

function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

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

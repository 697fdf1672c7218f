import { constants } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { isAssetFile, readAsset } from './asset-file.ts'
import { docsNavFaults } from './docs-nav.ts'
import { listFiles } from './list-files.ts'
import { isPageFile, type PageFile, readPage } from './page-file.ts'
import { withParents } from './parents.ts'
import type { Site, SiteFault, SitePage } from './site.ts'
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
export async function readSite(
  folder: string,
  passedOver: string | null = null,
): Promise<{ site: Site; faults: readonly SiteFault[] }> {
  const { files, faults: listFaults } = await listFiles(folder, passedOver)
  const { texts, faults: textFaults } = await readTexts(
    folder,
    files.filter((path) => !isAssetFile(path)),
  )

  const own = readSiteFile(texts.get(SITE_FILE))
  texts.delete(SITE_FILE)
  const readings = [...texts].map(([path, text]) => readPage(path, text, own.fields.types))
  const assets = files.filter(isAssetFile).map(readAsset)

  const { settings, name, origin } = own.fields
  const { distinct, faults: doubles } = withoutDoubles(
    readings.flatMap(({ file }) => file ?? []),
    settings.siteRoutes ?? {},
  )
  const { pages, faults: parentFaults } = withParents(distinct)
  const site: Site = {
    name,
    origin,
    settings,
    pages: pages.map((page) => withEditLink(page, own.fields.editBase)),
    assets: assets.flatMap(({ asset }) => asset ?? []),
  }

  const faults = [
    ...[listFaults, textFaults, own.faults, doubles].flat(),
    ...[...readings, ...assets].flatMap((reading) => reading.faults),
  ]
  const between = faults.length > 0 ? [] : [...parentFaults, ...docsNavFaults(site, own.lineOf)]
  return { site, faults: [...faults, ...between].toSorted(byPlace) }
}

/** The text of each file a site is made of, with lines that end in a line feed alone. */
async function readTexts(folder: string, paths: readonly string[]) {
  const texts = new Map<string, string>()
  const faults: SiteFault[] = []
  for (const path of paths) {
    const text = isPageFile(path) ? await readText(join(folder, path)) : null
    if (text !== null) texts.set(path, text)
    else
      faults.push({ file: path, line: null, field: null, message: isPageFile(path) ? NOT_UTF_8 : NOT_A_PAGE })
  }
  return { texts, faults }
}

const NOT_UTF_8 = 'The file is not UTF-8 text.'
const NOT_A_PAGE = 'A page is a .md, .yaml or .json file. Files to be served as they are belong in static/.'

/** Null for bytes that are not UTF-8. A file that was swapped for a symbolic link is refused. */
async function readText(file: string): Promise<string | null> {
  const bytes = await readFile(file, { flag: constants.O_RDONLY | constants.O_NOFOLLOW })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n')
  } catch {
    return null
  }
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
      faults.push({
        file: source,
        line: null,
        field: null,
        message: `${path} is the path of ${holder} already.`,
      })
    }
  }
  return { distinct, faults }
}

/** What a reader can mend leads to its file, unless the page says where else. */
function withEditLink(page: SitePage, base: string | null): SitePage {
  const isProse = page.type === 'article' || page.type === 'docs'
  if (base === null || !isProse || page.config['edit_url'] !== undefined) return page
  const file = page.source.split('/').map(encodeURIComponent).join('/')
  return { ...page, config: { ...page.config, edit_url: `${base.replace(/\/$/, '')}/${file}` } }
}

function byPlace(a: SiteFault, b: SiteFault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0)
}

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { isAssetFile, readAsset } from './asset-file.ts'
import { isDataFile, readDataFiles } from './data-files.ts'
import { type Addresses, withFileLinks } from './file-links.ts'
import { readText, textUnlessGone } from './file-text.ts'
import { MAX_FILE_BYTES } from './list-files.ts'
import { isSameOutline, type PageOutline } from './outline.ts'
import { readPage } from './page-file.ts'
import { isReadme, withData, withEditLink } from './read-site.ts'
import type { Site, SitePage } from './site.ts'
import { readSiteFile, SITE_FILE } from './site-file.ts'

/** The previous reading of a folder, which had no errors. */
export interface PreviousReading {
  /** All files of the folder. */
  readonly files: readonly string[]
  readonly outlines: ReadonlyMap<string, PageOutline>
}

/**
 * Reads only the edited pages of a folder, with the result that `readSite` would have for them.
 *
 * @param sources edited files, none of them new.
 * @returns the site with these pages only; null if the edit may affect other pages, or causes errors.
 */
export function readEdited(
  folder: string,
  sources: readonly string[],
  { files, outlines }: PreviousReading,
): Site | null {
  const own = readSiteFile(readText(join(folder, SITE_FILE)) ?? undefined)
  if (own.errors.length > 0 || sources.includes(SITE_FILE)) return null
  const { name, origin, types, editBase } = own.fields
  const dataFiles = files.filter((path) => isDataFile(path, types))
  const { data, errors } = readDataFiles(own.fields.settings.data ?? {}, dataFiles, (path) =>
    textUnlessGone(join(folder, path)),
  )
  if (errors.length > 0) return null
  const settings = withData(own.fields.settings, data)
  const assets = files.filter(isAssetFile).flatMap((path) => readAsset(path).asset ?? [])
  const addresses = addressesIn(outlines, new Set(files), settings.siteRoutes ?? {})
  const pages: SitePage[] = []
  for (const source of sources) {
    const outline = outlines.get(source)
    const text = outline === undefined ? null : readEditedText(join(folder, source))
    if (outline === undefined || text === null || isReadme(source, text)) return null
    const { file } = readPage(source, text, types)
    if (file === null || !isSameOutline(file, outline)) return null
    const page = { ...file.page, parent: outline.parent }
    pages.push(withEditLink(withFileLinks(page, addresses), editBase))
  }
  return { name, origin, settings, pages, assets }
}

/** Like `addressesOf`, but computed on demand from the outlines. */
function addressesIn(
  outlines: PreviousReading['outlines'],
  files: ReadonlySet<string>,
  routes: SiteRoutes,
): Addresses {
  return {
    get(file) {
      const outline = outlines.get(file)
      if (outline !== undefined) return publicPath(outline, routes)
      const asset = isAssetFile(file) && files.has(file) ? readAsset(file).asset : null
      return asset === null ? undefined : `/${asset.path}`
    },
  }
}

/** Null for a file that is missing, too large, not UTF-8 or a symbolic link. */
function readEditedText(file: string): string | null {
  try {
    return statSync(file).size <= MAX_FILE_BYTES ? readText(file) : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP'))
      return null
    throw error
  }
}

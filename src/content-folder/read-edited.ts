import { statSync } from 'node:fs'
import { join } from 'node:path'
import { normalForm } from '../domain/normal-form.ts'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { mayHoldReference } from './api-reference.ts'
import { isAssetFile } from './asset-file.ts'
import { isDataFile, readDataFiles } from './data-files.ts'
import { fileKind, SITE_FILE } from './file-kind.ts'
import { type Addresses, assetAddress, folderKey, hintOf, pageAddress, withFileLinks } from './file-links.ts'
import { readText, textUnlessGone } from './file-text.ts'
import { mayIncludeOthers } from './includes.ts'
import { MAX_FILE_BYTES } from './list-files.ts'
import { isSameOutline, type PageOutline } from './outline.ts'
import { mayBeDownload } from './page-by-content.ts'
import { readPage } from './page-file.ts'
import { isIndexFile } from './page-name.ts'
import { folderSettings, withEditLink } from './read-site.ts'
import type { Site, SitePage } from './site.ts'
import { readSiteFile } from './site-file.ts'
import { readSkills } from './skills.ts'

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
 * @returns the site with these pages only and without assets, which stay as they are; null if the edit may affect other pages, or causes errors.
 */
export function readEdited(
  folder: string,
  sources: readonly string[],
  { files, outlines }: PreviousReading,
): Site | null {
  if (sources.includes(SITE_FILE)) return null
  const included = [...outlines.values()].flatMap(({ includes }) => includes?.split('\n') ?? [])
  if (sources.some((source) => included.includes(source))) return null
  const siteText = readText(join(folder, SITE_FILE)) ?? undefined
  const { types } = readSiteFile(
    siteText,
    assetsIn(files, () => false),
  ).fields
  const isDownload = (path: string) => mayBeDownload(path) && !outlines.has(path) && !isDataFile(path, types)
  const assets = assetsIn(files, isDownload)
  const own = readSiteFile(siteText, assets)
  if (own.errors.length > 0) return null
  const { name, origin, editBase } = own.fields
  const dataFiles = files.filter((path) => isDataFile(path, types))
  const { data, errors } = readDataFiles(own.fields.settings.data ?? {}, dataFiles, (path) =>
    textUnlessGone(join(folder, path)),
  )
  if (errors.length > 0) return null
  const settings = folderSettings(own.fields.settings, data, files)
  const { skills, errors: skillErrors } = readSkills(files, (path) => textUnlessGone(join(folder, path)))
  if (skillErrors.length > 0) return null
  const addresses = addressesIn(outlines, assets, settings.siteRoutes ?? {})
  const pages: SitePage[] = []
  for (const source of sources) {
    const outline = outlines.get(source)
    const text = outline === undefined ? null : readEditedText(join(folder, source))
    const isAlone =
      outline !== undefined &&
      text !== null &&
      !mayHoldReference(source, text) &&
      !mayIncludeOthers(source, text)
    if (!isAlone) return null
    const { file } = readPage(source, text, types)
    if (file === null) return null
    const page = withFileLinks({ ...file.page, parent: outline.parent }, addresses)
    if (!isSameOutline(file, page.attachments ?? [], outline)) return null
    pages.push(withEditLink(page, editBase))
  }
  return { name, origin, settings, pages, assets: [], ...(skills.length > 0 && { skills }) }
}

/** The addresses of assets and attachments, computed on demand. */
function assetsIn(
  files: readonly string[],
  isDownload: (path: string) => boolean,
): Addresses & { readonly hint: RegExp } {
  const sources = new Set(files)
  /** The file on disk, whose name may not be composed (NFC). */
  const named = (file: string) => {
    const source = sources.has(file) || isPlain(file) ? file : files.find((path) => normalForm(path) === file)
    return source !== undefined && sources.has(source) && (isAssetFile(source) || isDownload(source))
      ? source
      : undefined
  }
  return {
    hint: hintOf(files),
    get: (file) => (named(file) === undefined ? undefined : assetAddress(file)),
    isAttachment: (file) => {
      const source = named(file)
      return source !== undefined && fileKind(source) !== 'static'
    },
  }
}

function isPlain(path: string): boolean {
  return /^[ -~]*$/.test(path)
}

/** Like `addressesOf`, but computed on demand from the outlines. */
function addressesIn(
  outlines: PreviousReading['outlines'],
  assets: Addresses & { readonly hint: RegExp },
  routes: SiteRoutes,
): Addresses {
  const indexes = new Map(
    [...outlines.keys()].filter(isIndexFile).map((source) => [folderKey(source), source] as const),
  )
  return {
    hint: assets.hint,
    isAttachment: assets.isAttachment,
    get(file) {
      const outline = outlines.get(file) ?? outlines.get(indexes.get(file) ?? '') ?? composed(file)
      return outline === undefined ? assets.get(file) : pageAddress(publicPath(outline, routes))
    },
  }

  function composed(file: string): PageOutline | undefined {
    if (isPlain(file)) return undefined
    return [...outlines.values()].find(({ source }) => normalForm(source) === file)
  }
}

/** The text of a file. Null if it is missing, too large, not UTF-8 or a symbolic link. */
function readEditedText(file: string): string | null {
  try {
    return statSync(file).size <= MAX_FILE_BYTES ? readText(file) : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP'))
      return null
    throw error
  }
}

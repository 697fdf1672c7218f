import { createHash } from 'node:crypto'
import { isAssetFile, readAsset } from '../content-folder/asset-file.ts'
import { sameOnDisk } from '../content-folder/assets.ts'
import { fileKind } from '../content-folder/file-kind.ts'
import { ignoreRules } from '../content-folder/ignored-files.ts'
import { MAX_FILES, MAX_FOLDERS } from '../content-folder/list-files.ts'
import { pageMediaNames, settingsMediaNames } from '../domain/media-names.ts'
import { publicPath } from '../domain/route.ts'
import type { ExportedProject } from './exported-project.ts'
import { isReservedOnWindows } from './file-name.ts'

/**
 * The place of an asset's file in an export:
 *
 * - `beside`: in `media/`, a file next to pages, which is part of a built site where a page or `site.yaml` names it
 * - `static`: in `static/media/`, where names such as `data.json` are no pages; always part of a built site
 * - `aside`: out of sight, in `.quoin/files/`, because the content folder cannot hold it or would publish it
 *
 * In the first two a built site has the file at the address that content writes, `/media/{name}`.
 */
export const ASSET_PLACES = ['beside', 'static', 'aside'] as const
export type AssetPlace = (typeof ASSET_PLACES)[number]

/** The file of an asset, relative to the folder. No name leaves the folder: segments begin with neither a dot nor a slash. */
export function assetFile(name: string, place: AssetPlace): string {
  if (place === 'beside') return `media/${name}`
  if (place === 'static') return `static/media/${name}`
  return `.quoin/files/${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

/** The place of each asset of a project, by its name. */
export function placeAssets(
  project: Pick<ExportedProject, 'pages' | 'settings'>,
  names: readonly string[],
): ReadonlyMap<string, AssetPlace> {
  const { siteRoutes } = project.settings
  const files = new Set<string>()
  const folders = new Set<string>()
  for (const { page } of project.pages) take(page.source)
  const pageFiles = new Set(
    project.pages.map(({ page }) => sameOnDisk(`${publicPath(page, siteRoutes).slice(1)}/index.html`)),
  )
  const live = liveNames(project)
  let room = MAX_FILES - project.pages.length - 1

  const places = names.toSorted().map((name): [string, AssetPlace] => {
    const place = (['beside', 'static'] as const).find((place) => fits(name, place))
    if (place === undefined || room <= 0) return [name, 'aside']
    room -= 1
    take(assetFile(name, place))
    return [name, place]
  })
  return new Map(places)

  function fits(name: string, place: 'beside' | 'static'): boolean {
    const file = assetFile(name, place)
    // Files of `static/` are public on a built site, even if no page names them.
    const isMeant = place === 'beside' ? fileKind(file) === 'attachment' : live.has(name)
    return isMeant && isReadable(file) && isFree(file) && !pageFiles.has(sameOnDisk(`media/${name}`))
  }

  function isFree(file: string): boolean {
    const path = sameOnDisk(file)
    return !files.has(path) && !folders.has(path) && !foldersAbove(path).some((folder) => files.has(folder))
  }

  function take(file: string): void {
    const path = sameOnDisk(file)
    files.add(path)
    for (const folder of foldersAbove(path)) folders.add(folder)
  }
}

const RULES = ignoreRules([])

/** Reports whether a content folder reads a file of this name, and every system can hold it. */
function isReadable(file: string): boolean {
  const above = foldersAbove(file)
  return (
    isAssetFile(file) &&
    readAsset(file).asset !== null &&
    above.length <= MAX_FOLDERS &&
    !RULES.ignores(file, 'file') &&
    !above.some((folder) => RULES.ignores(folder, 'folder')) &&
    !file.split('/').some(isReservedOnWindows)
  )
}

/** `a` and `a/b` for `a/b/c`. */
function foldersAbove(path: string): readonly string[] {
  const segments = path.split('/').slice(0, -1)
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}

/** Names of assets in the settings, and in pages that are live. */
function liveNames({ pages, settings }: Pick<ExportedProject, 'pages' | 'settings'>): ReadonlySet<string> {
  const live = pages.filter(({ page }) => !page.draft)
  return new Set([...settingsMediaNames(settings), ...live.flatMap(({ page }) => pageMediaNames(page))])
}

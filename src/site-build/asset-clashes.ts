import { sameOnDisk } from '../content-folder/assets.ts'
import type { SiteAsset } from '../content-folder/site.ts'
import type { Owner } from '../domain/artifact.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { PageId } from '../domain/ids.ts'
import { pathFolder } from '../domain/route.ts'
import type { PreparedSite } from './prepare-site.ts'
import type { BuildState } from './state/build-state.ts'
import { isReplaceable } from './static-files.ts'

/**
 * Errors for assets at the path of a generated file, or of a folder with such files: one of the two would be lost.
 * Paths that many systems take for the same count as the same.
 */
export function assetClashes(
  assets: readonly SiteAsset[],
  { plan, sources }: Pick<PreparedSite, 'plan' | 'sources'>,
  { files, pages }: Pick<BuildState, 'files' | 'pages'>,
): readonly Diagnostic[] {
  if (assets.length === 0) return []
  const uploads = new Map(plan.uploads.map(({ artifact: { key, owner } }) => [sameOnDisk(key), owner]))
  const gone = new Set(plan.deletes.map(({ key }) => key))
  const folders = new Map<string, Owner>()
  for (const [key, owner] of uploads) noteFolders(key, owner)
  for (const { facts } of pages.values()) {
    const key = `${pathFolder(facts.path)}index.html`
    if (!gone.has(key)) noteFolders(key, { kind: 'page', id: facts.id })
  }

  return assets.flatMap(({ path, source }) => {
    const key = sameOnDisk(path)
    if (isReplaceable(path)) return []
    const owner =
      [key, ...foldersOf(key)].map(generatedBy).find((found) => found !== null) ?? folders.get(key)
    if (owner === undefined) return []
    const message = `/${path} is already the path of ${nameOf(owner)}. Rename the file.`
    return [diagnostic('QN-DUPLICATE-PATH', source, message)]
  })

  function noteFolders(key: string, owner: Owner): void {
    for (const folder of foldersOf(key)) {
      if (folders.has(folder)) return
      folders.set(folder, owner)
    }
  }

  function generatedBy(key: string): Owner | null {
    return uploads.get(key) ?? (gone.has(key) ? null : (files.get(key)?.owner ?? null))
  }

  function nameOf({ kind, id }: Owner): string {
    const source = sources.get(id as PageId) ?? pages.get(id as PageId)?.source
    const isOfPage = (kind === 'page' || kind === 'redirect') && source !== undefined
    return isOfPage ? `${source}, or of a file that it makes` : 'a file or folder that Quoin makes'
  }
}

/** The folders above a key, nearest first. */
function foldersOf(key: string): readonly string[] {
  const segments = key.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, segments.length - 1 - index).join('/'))
}

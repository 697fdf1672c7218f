import { performance } from 'node:perf_hooks'
import type { BuildReport, BuildRequest, BuildResult } from './build/build-site.ts'
import { forgetLook, keepLook, type Look, lookAt, toldAt } from './build/last-look.ts'
import { THEME_FOLDERS, version } from './package.ts'
import type { Theme } from './theme/theme.ts'
import { ThemeError } from './theme/theme-error.ts'

/**
 * Build with what is installed: the themes of this package and of the content folder, files on this
 * machine, its clock. Where nothing changed since the last build, nothing is read or loaded to tell so.
 *
 * @param themeFolder of a theme that lies elsewhere; null where there is none.
 */
export async function build(
  request: BuildRequest,
  themeFolder: string | null,
  onRendered: (rendered: number) => void,
): Promise<BuildResult> {
  const look = lookBefore(request, themeFolder)
  const told = look === null ? null : toldAt(look, request.out)
  if (told !== null) return { report: unchanged(told as Told) }
  forgetLook(request.out)
  const result = await buildAnew(request, themeFolder, onRendered)
  if ('report' in result && look !== null) keepLook(look, request.out, toldOf(result.report))
  return result
}

/** What is told again of a site that did not change. */
type Told = Pick<BuildReport, 'complaints' | 'hasAddress'> & Readonly<Record<'pages' | 'files', number>>

function toldOf({ pages, files, complaints, hasAddress }: BuildReport): Told {
  return { pages: pages.total, files: files.total, complaints, hasAddress }
}

function unchanged({ pages, files, complaints, hasAddress }: Told): BuildReport {
  return {
    pages: { total: pages, rendered: 0, removed: 0 },
    files: { total: files, written: 0, removed: 0, bytes: 0 },
    slowest: [],
    complaints,
    hasAddress,
  }
}

/** Null in Data Mode, where what is kept beside the site says nothing of its pages. */
function lookBefore({ contentKey, ...request }: BuildRequest, themeFolder: string | null): Look | null {
  if (contentKey !== null) return null
  const { folder, out } = request
  const themes = [...Object.values(THEME_FOLDERS), ...(themeFolder === null ? [] : [themeFolder])]
  const asked = { ...request, themeFolder, version: version() }
  return lookAt({ folders: [folder, ...themes], request: asked, out }, Date.now())
}

async function buildAnew(
  request: BuildRequest,
  themeFolder: string | null,
  onRendered: (rendered: number) => void,
): Promise<BuildResult> {
  const { authorsPath, ownThemeFolders } = await import('./own-themes.ts')
  const { loadThemes } = await import('./theme/load-theme.ts')
  try {
    const own = await ownThemeFolders(request.folder, themeFolder)
    return await buildWith(await loadThemes({ ...THEME_FOLDERS, own }), request, onRendered)
  } catch (error) {
    if (!(error instanceof ThemeError)) throw error
    const { line, column, reason: message } = error
    return { faults: [{ file: authorsPath(error, request.folder), line, column, field: null, message }] }
  }
}

async function buildWith(
  themes: ReadonlyMap<string, Theme>,
  request: BuildRequest,
  onRendered: (rendered: number) => void,
): Promise<BuildResult> {
  const { buildSite } = await import('./build/build-site.ts')
  const { createInProcessRenderer } = await import('./renderer/in-process.ts')
  const { newMasterKey, parseMasterKey } = await import('./secrets/master-key.ts')
  const { createLocalFolderStorage } = await import('./storage/local-folder.ts')
  return buildSite(request, {
    renderer: createInProcessRenderer(themes),
    storage: createLocalFolderStorage({ root: request.out, sync: false }),
    // Nothing outlives the build that it could seal.
    masterKey: parseMasterKey(newMasterKey()),
    engine: version(),
    now: () => new Date().toISOString(),
    monotonic: () => performance.now(),
    onRendered,
  })
}

import { performance } from 'node:perf_hooks'
import { type BuildRequest, type BuildResult, buildSite } from './build/build-site.ts'
import { authorsPath, ownThemeFolders } from './own-themes.ts'
import { THEME_FOLDERS, version } from './package.ts'
import { createInProcessRenderer } from './renderer/in-process.ts'
import { newMasterKey, parseMasterKey } from './secrets/master-key.ts'
import { createLocalFolderStorage } from './storage/local-folder.ts'
import { loadThemes } from './theme/load-theme.ts'
import type { Theme } from './theme/theme.ts'
import { ThemeError } from './theme/theme-error.ts'

/**
 * Build with what is installed: the themes of this package and of the content folder, files on this
 * machine, its clock.
 *
 * @param themeFolder of a theme that lies elsewhere; null where there is none.
 */
export async function build(
  request: BuildRequest,
  themeFolder: string | null,
  onRendered: (rendered: number) => void,
): Promise<BuildResult> {
  try {
    const own = await ownThemeFolders(request.folder, themeFolder)
    return await buildIn(await loadThemes({ ...THEME_FOLDERS, own }), request, onRendered)
  } catch (error) {
    if (!(error instanceof ThemeError)) throw error
    const { line, column, reason: message } = error
    return { faults: [{ file: authorsPath(error, request.folder), line, column, field: null, message }] }
  }
}

function buildIn(
  themes: ReadonlyMap<string, Theme>,
  request: BuildRequest,
  onRendered: (rendered: number) => void,
): Promise<BuildResult> {
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

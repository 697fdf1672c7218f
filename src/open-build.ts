import { performance } from 'node:perf_hooks'
import { type BuildRequest, type BuildResult, buildSite } from './build/build-site.ts'
import { THEME_FOLDERS, version } from './package.ts'
import { createInProcessRenderer } from './renderer/in-process.ts'
import { newMasterKey, parseMasterKey } from './secrets/master-key.ts'
import { createLocalFolderStorage } from './storage/local-folder.ts'
import { loadThemes } from './theme/load-theme.ts'

/** Build with what is installed: the themes of this package, files on this machine, its clock. */
export async function build(
  request: BuildRequest,
  onRendered: (rendered: number) => void,
): Promise<BuildResult> {
  return buildSite(request, {
    renderer: createInProcessRenderer(await loadThemes(THEME_FOLDERS)),
    storage: createLocalFolderStorage({ root: request.out, sync: false }),
    // Nothing outlives the build that it could seal.
    masterKey: parseMasterKey(newMasterKey()),
    engine: version(),
    now: () => new Date().toISOString(),
    monotonic: () => performance.now(),
    onRendered,
  })
}

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { diagnostic } from '../domain/diagnostic.ts'
import { PACKAGE_ROOT, THEME_FOLDERS, version } from '../platform/package-paths.ts'
import { createThreadPool } from '../renderer/thread-pool.ts'
import { newMasterKey, parseMasterKey } from '../secrets/master-key.ts'
import { type BuildRequest, type BuildResult, buildSite, type SinceLast } from '../site-build/build-site.ts'
import { removeStaleSpills, withSpillFolder } from '../site-build/spill/spill-folder.ts'
import { stateDigest } from '../site-build/state/build-state.ts'
import { createLocalFolderStorage } from '../storage/local-folder.ts'
import { compileOnUse, compileTemplates } from '../theme/compile-templates.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import { loadThemes } from '../theme/load-theme.ts'
import { authorsPath, ownThemeFolders } from '../theme/site-themes.ts'
import { ThemeError } from '../theme/theme-error.ts'

/** Renders beside this one; only a file of JavaScript can be started as a thread. */
const THREAD = join(PACKAGE_ROOT, 'dist/thread.js')
/** This thread has to keep up with what the others hand it, and each takes its memory. */
const MOST_THREADS = 8

/** What is known before anything is read. */
interface Known {
  readonly since: SinceLast | null
  /** Pages to be rendered, at the most; 0 where nobody knows. */
  readonly expected: number
}

/** Build with what is installed: the themes of this package and of the content folder. */
export async function buildAnew(
  request: BuildRequest,
  themeFolder: string | null,
  onRendered: (rendered: number) => void,
  known: Known,
): Promise<BuildResult> {
  try {
    const own = await ownThemeFolders(request.folder, themeFolder)
    const build = (spillFolder: string | null) =>
      buildWith({ ...THEME_FOLDERS, own }, request, onRendered, { ...known, spillFolder })
    const { out, contentKey } = request
    await removeStaleSpills(out, contentKey !== null)
    // What is to be sealed must not lie there as it is, and beside a site that was built there may be no room
    // for another.
    const isSpilled = contentKey === null && known.since === null && stateDigest(out) === null
    return await (isSpilled ? withSpillFolder(out, build) : build(null))
  } catch (error) {
    if (!(error instanceof ThemeError)) throw error
    const { line, column, reason: message } = error
    return {
      errors: [diagnostic('QN-BAD-THEME', authorsPath(error, request.folder), message, { line, column })],
    }
  }
}

async function buildWith(
  folders: ThemeFolders,
  request: BuildRequest,
  onRendered: (rendered: number) => void,
  { since, expected, spillFolder }: Known & { readonly spillFolder: string | null },
): Promise<BuildResult> {
  const size = Math.min(availableParallelism(), MOST_THREADS)
  // The last build compiled these very themes.
  const themes =
    since === null ? await loadThemes(folders, compileTemplates) : await loadThemes(folders, compileOnUse)
  const renderer = createThreadPool({
    themes,
    folders,
    entry: THREAD,
    size,
    expected,
    spillFolder,
  })
  try {
    const ports = {
      renderer,
      spillFolder,
      storage: createLocalFolderStorage({ root: request.out, sync: false }),
      // Nothing outlives the build that it could seal.
      masterKey: parseMasterKey(newMasterKey()),
      engine: version(),
      now: () => new Date().toISOString(),
      onRendered,
    }
    return await buildSite(request, ports, since)
  } finally {
    await renderer.close()
  }
}

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { BuildRequest, BuildResult, SinceLast } from './build/build-site.ts'
import { type Look, lookAt } from './build/last-look.ts'
import { type BuiltSite, buildSinceLast } from './build/since-last.ts'
import { PACKAGE_ROOT, THEME_FOLDERS, version } from './package.ts'
import type { ThemeFolders } from './theme/list-themes.ts'
import { ThemeError } from './theme/theme-error.ts'

/** Renders beside this one; only a file of JavaScript can be started as a thread. */
const THREAD = join(PACKAGE_ROOT, 'dist/thread.js')
/** This thread has to keep up with what the others hand it, and each takes its memory. */
const MOST_THREADS = 8

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
): Promise<BuiltSite> {
  const look = lookBefore(request, themeFolder)
  // Where something lies already, few pages may have to be rendered.
  const expected = existsSync(request.out) ? 0 : (look?.files.size ?? 0)
  return buildSinceLast(look, request.out, (since) =>
    buildAnew(request, themeFolder, onRendered, { since, expected }),
  )
}

/** What is known before anything is read. */
interface Known {
  readonly since: SinceLast | null
  /** Pages to be rendered, at the most; 0 where nobody knows. */
  readonly expected: number
}

/** Null in Data Mode, where what is kept beside the site says nothing of its pages. */
function lookBefore({ contentKey, ...request }: BuildRequest, themeFolder: string | null): Look | null {
  if (contentKey !== null) return null
  const { folder, out } = request
  const themes = [...Object.values(THEME_FOLDERS), ...(themeFolder === null ? [] : [themeFolder])]
  const asked = { ...request, themeFolder, version: version() }
  return lookAt({ content: folder, themes, request: asked, out }, Date.now())
}

async function buildAnew(
  request: BuildRequest,
  themeFolder: string | null,
  onRendered: (rendered: number) => void,
  known: Known,
): Promise<BuildResult> {
  const { authorsPath, ownThemeFolders } = await import('./own-themes.ts')
  try {
    const own = await ownThemeFolders(request.folder, themeFolder)
    return await buildWith({ ...THEME_FOLDERS, own }, request, onRendered, known)
  } catch (error) {
    if (!(error instanceof ThemeError)) throw error
    const { line, column, reason: message } = error
    return { faults: [{ file: authorsPath(error, request.folder), line, column, field: null, message }] }
  }
}

async function buildWith(
  folders: ThemeFolders,
  request: BuildRequest,
  onRendered: (rendered: number) => void,
  { since, expected }: Known,
): Promise<BuildResult> {
  const { loadThemes } = await import('./theme/load-theme.ts')
  const { buildSite } = await import('./build/build-site.ts')
  const { createRenderCrew } = await import('./renderer/crew.ts')
  const { newMasterKey, parseMasterKey } = await import('./secrets/master-key.ts')
  const { createLocalFolderStorage } = await import('./storage/local-folder.ts')
  const size = Math.min(availableParallelism(), MOST_THREADS)
  const themes = await loadThemes(folders)
  const renderer = createRenderCrew({ themes, folders, entry: THREAD, size, expected })
  const ports = {
    renderer,
    storage: createLocalFolderStorage({ root: request.out, sync: false }),
    // Nothing outlives the build that it could seal.
    masterKey: parseMasterKey(newMasterKey()),
    engine: version(),
    now: () => new Date().toISOString(),
    onRendered,
  }
  try {
    return await buildSite(request, ports, since)
  } finally {
    await renderer.close()
  }
}

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Artifact, Stage } from '../domain/artifact.ts'
import { diagnostic } from '../domain/diagnostic.ts'
import { PACKAGE_ROOT, THEME_FOLDERS, version } from '../platform/package-paths.ts'
import { createSpool, withBody } from '../renderer/spilled-artifacts.ts'
import { createThreadPool } from '../renderer/thread-pool.ts'
import { newMasterKey, parseMasterKey } from '../secrets/master-key.ts'
import { type BuildRequest, type BuildResult, buildSite, type SinceLast } from '../site-build/build-site.ts'
import type { Spool } from '../site-build/recording-renderer.ts'
import { removeSpools, type SpoolFolder, withSpool } from '../site-build/spill/spill-folder.ts'
import { stateDigest } from '../site-build/state/build-state.ts'
import { createLocalFolderStorage } from '../storage/local-folder.ts'
import { compileAsUsed, compileTemplates } from '../theme/compile-templates.ts'
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
    const build = (spool: SpoolFolder | null) =>
      buildWith({ ...THEME_FOLDERS, own }, request, onRendered, { ...known, spool })
    const { out, contentKey } = request
    await removeSpools(out, contentKey !== null)
    // What is to be sealed must not lie there as it is, and beside a site that was built there may be no room
    // for another.
    const isSpooled = contentKey === null && known.since === null && stateDigest(out) === null
    return await (isSpooled ? withSpool(out, build) : build(null))
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
  { since, expected, spool }: Known & { readonly spool: SpoolFolder | null },
): Promise<BuildResult> {
  const size = Math.min(availableParallelism(), MOST_THREADS)
  // The last build compiled these very themes.
  const themes =
    since === null ? await loadThemes(folders, compileTemplates) : await loadThemes(folders, compileAsUsed)
  const renderer = createThreadPool({
    themes,
    folders,
    entry: THREAD,
    size,
    expected,
    spool: spool?.folder ?? null,
  })
  try {
    const ports = {
      renderer,
      spool: spool && leavingTo(spool),
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

function leavingTo(spool: SpoolFolder): Spool {
  return {
    ...spool,
    leave: leavingIn(spool.folder, ['page']),
    leaveBeside: leavingIn(spool.beside, ['listing', 'index', 'manifest']),
  }
}

function leavingIn(folder: string, stages: readonly Stage[]): (artifact: Artifact) => Artifact {
  const spool = createSpool(folder, stages)
  return (artifact) => withBody(spool(artifact), folder)
}

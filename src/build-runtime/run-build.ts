import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { diagnostic } from '../domain/diagnostic.ts'
import { createImagePool } from '../images/child-pool.ts'
import type { ImageProcessor } from '../images/image-processor.ts'
import { IMAGE_CHILD, PACKAGE_ROOT, renderingVersions, THEME_FOLDERS } from '../platform/package-paths.ts'
import { createThreadPool } from '../renderer/thread-pool.ts'
import { newMasterKey, parseMasterKey } from '../secrets/master-key.ts'
import { type BuildRequest, type BuildResult, buildSite, type Edits } from '../site-build/build-site.ts'
import { STATE_FOLDER } from '../site-build/incremental/file-fingerprints.ts'
import { contentErrors } from '../site-build/read-content.ts'
import { removeStaleSpills, withSpillFolder } from '../site-build/spill/spill-folder.ts'
import { stateDigest } from '../site-build/state/build-state.ts'
import { createLocalFolderStorage } from '../storage/local-folder.ts'
import { compileOnUse, compileTemplates } from '../theme/compile-templates.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import { loadThemes } from '../theme/load-theme.ts'
import { authorsPath, customThemeFolders } from '../theme/site-themes.ts'
import { ThemeError, themeErrorCode } from '../theme/theme-error.ts'

/** The program of a worker thread. Only a JavaScript file can be started as one. */
const THREAD = join(PACKAGE_ROOT, 'dist/thread.js')
/** The main thread must keep up with the results of the others, and each needs memory of its own. */
const MAX_THREADS = 8

interface RunOptions {
  /** The previous build and the edits since; null for a full build. */
  readonly since: Edits | null
  /** Keys of files in the output folder that are damaged; null for any. */
  readonly damaged: readonly string[] | null
  /** Returns the keys of all files of the previous build, as far as its record can be read. */
  readonly recorded: () => readonly string[]
  /** Upper bound of the pages to render; 0 if unknown. */
  readonly expected: number
}

/** Builds with the themes of this package and of the content folder. A theme with an error is a diagnostic. */
export async function runBuild(
  request: BuildRequest,
  themeFolder: string | null,
  onRendered: (rendered: number) => void,
  options: RunOptions,
): Promise<BuildResult> {
  try {
    const custom = request.builtInThemesOnly ? [] : await customThemeFolders(request.folder, themeFolder)
    const folders = { ...THEME_FOLDERS, custom }
    const build = (spillFolder: string | null) =>
      buildWith(folders, request, onRendered, { ...options, spillFolder })
    const { out, contentKey } = request
    await removeStaleSpills(out, contentKey !== null)
    // In Data Mode plaintext must not be written to disk, and next to an earlier build the disk may have no room for
    // a second copy of the site.
    const isSpilled = contentKey === null && options.since === null && stateDigest(out) === null
    return await (isSpilled ? withSpillFolder(out, build) : build(null))
  } catch (error) {
    if (!(error instanceof ThemeError)) throw error
    const { line, column, reason } = error
    const file = authorsPath(error, request.folder)
    const ofTheme = diagnostic(themeErrorCode(error.file), file, reason, { line, column })
    // The other errors are found without a theme.
    return { errors: [ofTheme, ...(await contentErrors(request))] }
  }
}

async function buildWith(
  folders: ThemeFolders,
  request: BuildRequest,
  onRendered: (rendered: number) => void,
  { since, damaged, recorded, expected, spillFolder }: RunOptions & { readonly spillFolder: string | null },
): Promise<BuildResult> {
  // Templates of the package compile, and in an incremental build the previous build has checked the others.
  const isChecked = since !== null || folders.custom === undefined || folders.custom.length === 0
  const themes = await loadThemes(folders, isChecked ? compileOnUse : compileTemplates)
  const renderer = createThreadPool({
    themes,
    folders,
    entry: THREAD,
    size: Math.min(availableParallelism(), MAX_THREADS),
    expected,
    spillFolder,
    // A build in Data Mode leaves nothing in plain.
    tokenCache: request.contentKey === null ? join(request.out, STATE_FOLDER, 'tokens') : null,
  })
  let images: ImageProcessor | null = null
  try {
    const ports = {
      renderer,
      images: () => {
        images ??= createImagePool({
          entry: IMAGE_CHILD,
          size: availableParallelism(),
          isForeground: true,
        })
        return images
      },
      spillFolder,
      storage: createLocalFolderStorage({ root: request.out, sync: false }),
      // Seals nothing that is stored: a build has no database.
      masterKey: parseMasterKey(newMasterKey()),
      engine: renderingVersions(),
      now: () => new Date().toISOString(),
      onRendered,
    }
    return await buildSite(request, ports, since, damaged, recorded)
  } finally {
    await Promise.all([renderer.close(), (images as ImageProcessor | null)?.close()])
  }
}

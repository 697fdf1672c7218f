import { existsSync } from 'node:fs'
import { loadBuildProgram } from '../build-runtime/load-program.ts'
import { THEME_FOLDERS, version } from '../platform/package-paths.ts'
import type { BuildRequest } from '../site-build/build-site.ts'
import { type ChangeDetection, detectChanges } from '../site-build/incremental/change-detection.ts'
import { type BuiltSite, buildIncrementally } from '../site-build/incremental/incremental-build.ts'

/**
 * Builds with the themes of this package and of the content folder, the local file system and the system's clock. A
 * build of an unchanged site reads no content and does not load the code that renders.
 *
 * @param themeFolder a theme outside the content folder; null for none.
 */
export async function build(
  request: BuildRequest,
  themeFolder: string | null,
  onRendered: (rendered: number) => void,
): Promise<BuiltSite> {
  const changes = changesSince(request, themeFolder)
  // In an existing output folder most pages may be unchanged.
  const expected = existsSync(request.out) ? 0 : (changes?.current?.files.paths.length ?? 0)
  return buildIncrementally(changes, request.out, async (since) => {
    const { runBuild } = await loadBuildProgram()
    return runBuild(request, themeFolder, onRendered, { since, expected })
  })
}

/** Null in Data Mode, because stored fingerprints would reveal file names and sizes of sealed pages. */
function changesSince(
  { contentKey, ...request }: BuildRequest,
  themeFolder: string | null,
): ChangeDetection | null {
  if (contentKey !== null) return null
  const { folder, out } = request
  const themes = [THEME_FOLDERS.themes, ...(themeFolder === null ? [] : [themeFolder])]
  const inputs = { content: folder, themes, request: { ...request, themeFolder, version: version() }, out }
  return detectChanges(inputs, Date.now())
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadBuildProgram } from '../build-runtime/load-program.ts'
import { textIfReadable } from '../content-folder/file-text.ts'
import { type IgnoreRules, ignoreRules } from '../content-folder/ignored-files.ts'
import { renderingVersions, THEME_FOLDERS } from '../platform/package-paths.ts'
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
  const changes = await changesSince(request, themeFolder)
  // In an existing output folder most pages may be unchanged.
  const expected = existsSync(request.out) ? 0 : (changes?.current?.files.paths.length ?? 0)
  return buildIncrementally(
    changes,
    request.out,
    new Date().toISOString(),
    async (since, damaged, recorded) => {
      const { runBuild } = await loadBuildProgram()
      return runBuild(request, themeFolder, onRendered, { since, damaged, recorded, expected })
    },
  )
}

/** Returns null in Data Mode, because stored fingerprints would reveal file names and sizes of sealed pages. */
async function changesSince(
  { contentKey, ...request }: BuildRequest,
  themeFolder: string | null,
): Promise<ChangeDetection | null> {
  if (contentKey !== null) return null
  const { folder, out } = request
  const themes = [THEME_FOLDERS.themes, ...(themeFolder === null ? [] : [themeFolder])]
  const inputs = {
    content: folder,
    ignored: await ignoreRulesOf(folder),
    themes,
    request: { ...request, themeFolder, version: renderingVersions() },
    out,
  }
  return detectChanges(inputs, Date.now())
}

/**
 * Returns the rules of `siteIgnoreRules`, but loads the parser of `site.yaml` only if the folder may have patterns of
 * its own.
 */
async function ignoreRulesOf(folder: string): Promise<IgnoreRules> {
  const text = textIfReadable(join(folder, 'site.yaml')) ?? ''
  if (!text.includes('ignore')) return ignoreRules([])
  const { ignorePatterns } = await import('../content-folder/site-file.ts')
  return ignoreRules(ignorePatterns(text))
}

import { existsSync } from 'node:fs'
import type { BuildRequest } from './build/build-site.ts'
import { type Look, lookAt } from './build/last-look.ts'
import { type BuiltSite, buildSinceLast } from './build/since-last.ts'
import { loadCompiled } from './load-compiled.ts'
import { THEME_FOLDERS, version } from './package.ts'

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
  const expected = existsSync(request.out) ? 0 : (look?.files.paths.length ?? 0)
  return buildSinceLast(look, request.out, async (since) => {
    const { buildAnew } = await loadCompiled()
    return buildAnew(request, themeFolder, onRendered, { since, expected })
  })
}

/** Null in Data Mode, where what is kept beside the site says nothing of its pages. */
function lookBefore({ contentKey, ...request }: BuildRequest, themeFolder: string | null): Look | null {
  if (contentKey !== null) return null
  const { folder, out } = request
  const themes = [...Object.values(THEME_FOLDERS), ...(themeFolder === null ? [] : [themeFolder])]
  const asked = { ...request, themeFolder, version: version() }
  return lookAt({ content: folder, themes, request: asked, out }, Date.now())
}

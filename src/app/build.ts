import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { loadCompiled } from '../build-runtime/load-program.ts'
import type { ReadAhead } from '../build-runtime/run-build.ts'
import { PACKAGE_ROOT, THEME_FOLDERS, version } from '../platform/package-paths.ts'
import type { BuildRequest } from '../site-build/build-site.ts'
import { editedSince, lastLookSize, type Sight, sightOf } from '../site-build/incremental/change-detection.ts'
import { type BuiltSite, buildSinceLast } from '../site-build/incremental/incremental-build.ts'
import { lookBeside } from '../site-build/incremental/output-check.ts'

/** Only a file of JavaScript can be started as a thread. */
const LOOK_THREAD = join(PACKAGE_ROOT, 'dist/look-thread.js')
/** Bytes that the last build kept of its look, some 300 a page: a thread for fewer takes longer to start than to look. */
const LARGE = 1_000_000

/**
 * Build with what is installed: the themes of this package and of the content folder, files on this
 * machine, its clock. Where nothing changed since the last build, nothing is read or loaded to tell so, but for
 * what of a large site is made ready meanwhile.
 *
 * @param themeFolder of a theme that lies elsewhere; null where there is none.
 */
export async function build(
  request: BuildRequest,
  themeFolder: string | null,
  onRendered: (rendered: number) => void,
): Promise<BuiltSite> {
  const { sight, ahead } = await sightBefore(request, themeFolder)
  // Where something lies already, few pages may have to be rendered.
  const expected = existsSync(request.out) ? 0 : (sight?.look?.files.paths.length ?? 0)
  return buildSinceLast(sight, request.out, async (since) => {
    const { buildAnew } = await loadCompiled()
    return buildAnew(request, themeFolder, onRendered, { since, expected, ahead })
  })
}

interface Before {
  /** Null in Data Mode, where what is kept beside the site says nothing of its pages. */
  readonly sight: Sight | null
  /** What was read meanwhile; null for nothing. */
  readonly ahead: ReadAhead | null
}

/** While a thread looks at a large site, this one looks at its content, and reads what a build of few edits begins with. */
async function sightBefore(
  { contentKey, ...request }: BuildRequest,
  themeFolder: string | null,
): Promise<Before> {
  if (contentKey !== null) return { sight: null, ahead: null }
  const { folder, out } = request
  const themes = [THEME_FOLDERS.themes, ...(themeFolder === null ? [] : [themeFolder])]
  const inputs = { content: folder, themes, request: { ...request, themeFolder, version: version() }, out }
  const now = Date.now()
  if (lastLookSize(out) < LARGE || availableParallelism() < 2)
    return { sight: sightOf(inputs, now), ahead: null }
  const looking = lookBeside(out, LOOK_THREAD)
  const { look, last, isOutAsLeft } = sightOf(inputs, now)
  const edited = look && last && editedSince(look, last, () => true)
  const isEdited = edited !== null && edited.length > 0
  const ahead = isEdited ? await (await loadCompiled()).readAhead(request, themeFolder) : null
  const isAsLeft = await looking
  return { sight: { look, last, isOutAsLeft: () => isAsLeft ?? isOutAsLeft() }, ahead }
}

import type { Diagnostic } from '../../domain/diagnostic.ts'
import type { BuildReport, BuildResult, Noted, SinceLast } from '../build-site.ts'
import {
  editedSince,
  forgetLook,
  keepLook,
  type LastLook,
  type Look,
  type Sight,
} from './change-detection.ts'

/** Faults are to be mended before anything is built. */
export type BuiltSite = { readonly errors: readonly Diagnostic[] } | { readonly report: BuildReport }

/** What is told again of a site that did not change. */
type Told = Pick<BuildReport, 'warnings' | 'hasAddress'> & Readonly<Record<'pages' | 'files', number>>

/**
 * Build as much as has changed since the last time.
 *
 * @param sight of all that the build depends on; null where nobody knows what changed.
 * @param build is not called where nothing did.
 */
export async function buildSinceLast(
  sight: Sight | null,
  out: string,
  build: (since: SinceLast | null) => Promise<BuildResult>,
): Promise<BuiltSite> {
  const { look, last } = sight ?? { look: null, last: null }
  const edited = sight && look && last && editedSince(look, last, sight.isOutAsLeft)
  if (last !== null && edited?.length === 0) return { report: unchanged(last.told as Told) }
  forgetLook(out)
  const since = look && last && edited && sinceLast(look, last, edited)
  const result = await build(since)
  if ('errors' in result) return result
  const { report, left } = result
  if (look !== null) {
    const { state, outlines, ...written } = left
    const noted = (foreign: readonly string[]): Noted => ({ state, outlines, foreign })
    keepLook(look, last, out, { written, told: toldOf(report), noted })
  }
  return { report }
}

/** Null where what was noted is of no use. */
function sinceLast(look: Look, { told, noted }: LastLook, edited: readonly string[]): SinceLast | null {
  if (noted === null) return null
  const { warnings } = told as Told
  return { files: look.files.paths, edited, noted: noted as Noted, warnings }
}

function toldOf({ pages, files, warnings, hasAddress }: BuildReport): Told {
  return { pages: pages.total, files: files.total, warnings, hasAddress }
}

function unchanged({ pages, files, warnings, hasAddress }: Told): BuildReport {
  return {
    pages: { total: pages, rendered: 0, removed: 0 },
    files: { total: files, written: 0, removed: 0, bytes: 0 },
    slowest: [],
    warnings,
    hasAddress,
  }
}

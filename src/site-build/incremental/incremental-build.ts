import type { Diagnostic } from '../../domain/diagnostic.ts'
import type { BuildNotes, BuildReport, BuildResult, Edits } from '../build-site.ts'
import { isOneDue } from '../held-pages.ts'
import {
  type ChangeDetection,
  editedFiles,
  forgetPreviousBuild,
  type InputFingerprints,
  type PreviousBuild,
  recordBuild,
} from './change-detection.ts'

/** With errors, nothing is built. */
export type BuiltSite = { readonly errors: readonly Diagnostic[] } | { readonly report: BuildReport }

/** The part of a report that is repeated for an unchanged site. */
type RepeatedReport = Omit<BuildReport, 'pages' | 'files' | 'slowest' | 'lostState'> & {
  readonly pages: number
  readonly files: number
}

/**
 * Builds what changed since the previous build.
 *
 * @param changes null if they cannot be detected: everything is compared then.
 * @param now ISO 8601 UTC.
 * @param build is not called if nothing changed. `damaged` are keys of damaged files in the output folder, null for
 *   any; `recorded` returns the keys of all files of the previous build.
 */
export async function buildIncrementally(
  changes: ChangeDetection | null,
  out: string,
  now: string,
  build: (
    since: Edits | null,
    damaged: readonly string[] | null,
    recorded: () => readonly string[],
  ) => Promise<BuildResult>,
): Promise<BuiltSite> {
  const { current, previous } = changes ?? { current: null, previous: null }
  const isDue = previous !== null && hasComeDue(previous.report as RepeatedReport, now)
  const edited =
    changes && current && previous && !isDue && editedFiles(current, previous, changes.isOutputUnchanged)
  if (previous !== null && edited && edited.length === 0)
    return { report: unchangedReport(previous.report as RepeatedReport) }
  const damaged = changes === null ? [] : changes.damaged()
  forgetPreviousBuild(out)
  const since = current && previous && edited ? editsSince(current, previous, edited) : null
  const result = await build(since, damaged, changes?.recorded ?? (() => []))
  if ('errors' in result) return result
  const { report, left } = result
  if (current !== null) {
    const { state, outlines, media, redirects, ...written } = left
    const notes = (foreign: readonly string[]): BuildNotes => ({ state, outlines, media, redirects, foreign })
    recordBuild(current, previous, out, { written, report: repeatedReport(report), notes })
  }
  return { report }
}

/** Reports whether the site can differ although no file has changed. */
function hasComeDue({ held, undecoded, warnings }: RepeatedReport, now: string): boolean {
  // The date of an article may have come, and an image decoder may have been installed.
  const mayDecode = undecoded > 0 || warnings.some(({ code }) => code === 'QN-NO-CARDS')
  return isOneDue(held, now) || mayDecode
}

/** Returns null if the previous build left no readable notes. */
function editsSince(
  current: InputFingerprints,
  previous: PreviousBuild,
  edited: readonly string[],
): Edits | null {
  const notes = previous.notes() as BuildNotes | null
  if (notes === null) return null
  const { warnings, unused, held } = previous.report as RepeatedReport
  return { files: current.files.paths, edited, notes, warnings, unused, held }
}

function repeatedReport({ pages, files, slowest: _, lostState: __, ...same }: BuildReport): RepeatedReport {
  return { ...same, pages: pages.total, files: files.total }
}

function unchangedReport({ pages, files, ...same }: RepeatedReport): BuildReport {
  return {
    ...same,
    pages: { total: pages, rendered: 0, removed: 0 },
    files: { total: files, written: 0, removed: 0, bytes: 0 },
    slowest: [],
    lostState: null,
  }
}
